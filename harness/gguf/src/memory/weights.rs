//! What the weights take, by element type and by what they are for.

use std::collections::BTreeMap;

use crate::{TensorInfo, TensorType};

use super::ModelFiles;

/// The weights of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Bytes of all tensors.
    pub bytes: u64,
    /// How many tensors there are.
    pub tensors: u64,
    /// What each element type takes, the largest share first.
    pub types: Vec<TypeShare>,
    /// For each kind of tensor (its name without the block's number) that is not of one type throughout: what each type
    /// takes.
    pub mixed: Vec<(String, Vec<TypeShare>)>,
    /// The largest tensor: its name and its bytes.
    pub largest: Option<(String, u64)>,
    /// Bytes that a CPU with dot products may copy into a second buffer on loading, because it wants them in another
    /// order: `CPU_REPACK`.
    pub repacked: u64,
}

/// What one element type takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeShare {
    /// The type.
    pub kind: TensorType,
    /// How many tensors are of it.
    pub tensors: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl Weights {
    /// Of all tensors of a model.
    pub fn of(model: &ModelFiles) -> Self {
        let mut roles: BTreeMap<String, Vec<&TensorInfo>> = BTreeMap::new();
        for tensor in model.tensors() {
            roles.entry(role(&tensor.name)).or_default().push(tensor);
        }
        let tied = model.tensors().all(|tensor| tensor.name != "output.weight");
        let mixed = roles.into_iter().map(|(role, tensors)| (role, shares(tensors)));
        let mixed = mixed.filter(|(_, shares)| shares.len() > 1).collect();
        let largest = model.tensors().max_by_key(|tensor| tensor.bytes);
        Self {
            bytes: sum(model.tensors().map(|tensor| tensor.bytes)),
            tensors: model.tensors().count() as u64,
            types: shares(model.tensors()),
            mixed,
            largest: largest.map(|tensor| (tensor.name.clone(), tensor.bytes)),
            repacked: sum(model.tensors().filter(|tensor| repacks(tensor, tied)).map(|tensor| tensor.bytes)),
        }
    }

    /// The type that takes most.
    pub fn main_type(&self) -> Option<TensorType> {
        self.types.first().map(|share| share.kind)
    }
}

/// A tensor's name without its block's number.
fn role(name: &str) -> String {
    let Some(rest) = name.strip_prefix("blk.") else { return name.to_owned() };
    rest.split_once('.').map_or_else(|| name.to_owned(), |(_, rest)| format!("blk.*.{rest}"))
}

fn shares<'a>(tensors: impl IntoIterator<Item = &'a TensorInfo>) -> Vec<TypeShare> {
    let mut shares: BTreeMap<u32, TypeShare> = BTreeMap::new();
    for tensor in tensors {
        let new = TypeShare { kind: tensor.kind, tensors: 0, bytes: 0 };
        let share = shares.entry(tensor.kind.number()).or_insert(new);
        share.tensors += 1;
        share.bytes = share.bytes.saturating_add(tensor.bytes);
    }
    let mut shares: Vec<_> = shares.into_values().collect();
    shares.sort_by_key(|share| std::cmp::Reverse(share.bytes));
    shares
}

/// Whether ggml's CPU backend has another order for this tensor, with ARM's dot products or with AVX2. Embeddings are
/// looked up, not multiplied, unless they are the output matrix as well.
fn repacks(tensor: &TensorInfo, tied: bool) -> bool {
    let rows = tensor.dims.get(1).copied().unwrap_or(1);
    let multiplied = tensor.dims.len() > 1
        && tensor.name.ends_with(".weight")
        && (tied || tensor.name != "token_embd.weight")
        && tensor.name != "per_layer_token_embd.weight";
    let step = match tensor.kind {
        TensorType::Q4_0 | TensorType::Q8_0 | TensorType::IQ4_NL | TensorType::MXFP4 | TensorType::Q1_0 => 4,
        TensorType::Q4_K | TensorType::Q5_K | TensorType::Q6_K => 8,
        _ => return false,
    };
    multiplied && rows.is_multiple_of(step)
}

fn sum(bytes: impl Iterator<Item = u64>) -> u64 {
    bytes.fold(0, u64::saturating_add)
}
