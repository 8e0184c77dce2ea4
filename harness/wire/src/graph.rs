//! The graph of one `llama_decode` call: what each node computed, small enough to keep, and where asked its numbers.

use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::{Sketch, Sketcher, sketch::place};

/// Most values of one tensor in one reply: 4 MiB, which base64 makes 5.6.
pub const MAX_VALUES: usize = 1 << 20;

/// Pieces of a tensor whose sums [`TensorData::blocks`] holds.
pub const DATA_BLOCKS: usize = 64;

/// A wish to look at one `llama_decode` call. Every node is then computed alone, so nothing is fused with another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Watch {
    /// Which call of the request, from 0.
    pub call: u32,
    /// Tensors whose numbers are wanted. None: a digest of every node instead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub data: Vec<Want>,
}

/// A tensor whose numbers are wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Want {
    /// Which one.
    pub tensor: TensorName,
    /// The first value to send; at most [`MAX_VALUES`] follow.
    #[serde(default)]
    pub from: u64,
}

/// What a tensor is called in both runs: llama.cpp's name for it is not unique, and the order may be another.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TensorName {
    /// Its name, for example `Qcur-0`.
    pub name: String,
    /// ggml's operator name, for example `MUL_MAT`; `NONE` for what is not computed.
    pub op: String,
    /// How many of that name and operator came before it in the call.
    pub nth: u32,
}

/// What one call computed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Graph {
    /// Every node, in the order of computing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<GraphNode>,
    /// What was there before the call: weights, caches, inputs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub leaves: Vec<GraphTensor>,
    /// The numbers that were wanted and found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub data: Vec<TensorData>,
}

/// A tensor of the graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GraphTensor {
    /// Which one.
    pub tensor: TensorName,
    /// ggml's name of its element type, for example `f32` or `q4_0`.
    pub kind: String,
    /// Its four extents, the fastest first.
    pub shape: [i64; 4],
    /// What it holds; `None` for weights, and for what cannot be read back (repacked weights).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// Whether it is a weight of the model.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub weight: bool,
}

/// A computed tensor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GraphNode {
    /// Its result.
    pub result: GraphTensor,
    /// The backend whose buffer holds the result.
    pub backend: String,
    /// `ggml_tensor::op_params`, without the zeros at the end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<i32>,
    /// What it was computed from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<GraphInput>,
}

/// What a node was computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GraphInput {
    /// An earlier node: its index.
    Node(u32),
    /// A leaf: its index.
    Leaf(u32),
}

/// What a tensor holds, in 1 KB.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Digest {
    /// All values, sketched.
    pub sketch: Sketch,
    /// Sum of the squares of the finite values.
    pub length2: f64,
    /// Largest finite absolute value.
    pub max_abs: f32,
    /// Values that are not a number.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub nan: u64,
    /// Values that are infinite.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub infinite: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Makes a [`Digest`] of a tensor that comes in pieces.
#[derive(Clone, Debug, Default)]
pub struct Digester {
    sketcher: Sketcher,
    length2: f64,
    max_abs: f32,
    nan: u64,
    infinite: u64,
}

impl Digester {
    /// The next values.
    pub fn add(&mut self, values: &[f32]) {
        self.sketcher.add(values);
        for &value in values {
            if value.is_nan() {
                self.nan += 1;
            } else if value.is_infinite() {
                self.infinite += 1;
            } else {
                self.length2 += f64::from(value) * f64::from(value);
                self.max_abs = self.max_abs.max(value.abs());
            }
        }
    }

    /// The digest of everything that was added.
    pub fn finish(self) -> Digest {
        let Self { sketcher, length2, max_abs, nan, infinite } = self;
        Digest { sketch: sketcher.finish(), length2, max_abs, nan, infinite }
    }
}

/// The numbers of a tensor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TensorData {
    /// Which one.
    pub tensor: TensorName,
    /// All of it, digested.
    pub digest: Digest,
    /// How many values it has.
    pub count: u64,
    /// Sums over each [`DATA_BLOCKS`]th of it, every value with a sign of its own: where two tensors differ, the
    /// block with the largest difference shows where to look.
    pub blocks: Vec<f64>,
    /// Index of the first value in `values`.
    pub from: u64,
    /// Its values as f32, whatever its type; at most [`MAX_VALUES`].
    pub values: Values,
}

/// Makes the [`TensorData::blocks`] of a tensor that comes in pieces.
#[derive(Clone, Debug)]
pub struct BlockSums {
    block: u64,
    next: u64,
    sums: Vec<f64>,
}

impl BlockSums {
    /// For a tensor of `count` values.
    pub fn new(count: u64) -> Self {
        Self { block: Self::block(count), next: 0, sums: vec![0.0; DATA_BLOCKS] }
    }

    /// How many values a block of a tensor of `count` values has; the last ones may have fewer.
    pub fn block(count: u64) -> u64 {
        count.div_ceil(DATA_BLOCKS as u64).max(1)
    }

    /// The next values; those that are not finite are left out.
    pub fn add(&mut self, values: &[f32]) {
        for (index, &value) in (self.next..).zip(values) {
            if let Some(sum) = self.sums.get_mut((index / self.block) as usize)
                && value.is_finite()
            {
                *sum += place(index).1 * f64::from(value);
            }
        }
        self.next += values.len() as u64;
    }

    /// The sums of everything that was added.
    pub fn finish(self) -> Vec<f64> {
        self.sums
    }
}

/// Values; in JSON the base64 of their little-endian bytes, so that NaN and infinities survive.
#[derive(Clone, Debug, Default)]
pub struct Values(pub Vec<f32>);

impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        self.0.iter().map(|value| value.to_bits()).eq(other.0.iter().map(|value| value.to_bits()))
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes: Vec<u8> = self.0.iter().flat_map(|value| value.to_le_bytes()).collect();
        serializer.serialize_str(&STANDARD_NO_PAD.encode(bytes))
    }
}

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = STANDARD_NO_PAD.decode(&text).map_err(D::Error::custom)?;
        if bytes.len() % 4 != 0 {
            return Err(D::Error::custom(format!("{} bytes are no whole number of values", bytes.len())));
        }
        let value = |chunk: &[u8]| f32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]);
        Ok(Self(bytes.chunks_exact(4).map(value).collect()))
    }
}
