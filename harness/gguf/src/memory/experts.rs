//! Mixtures of experts: how much of a model they are, and how much of them one token touches.

use std::collections::BTreeMap;

use crate::TensorInfo;

use super::ModelFiles;

/// The experts of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Experts {
    /// Experts in a layer, at most.
    pub count: u64,
    /// Experts that a token is sent to in a layer, at most.
    pub used: u64,
    /// Layers that have experts.
    pub layers: u64,
    /// Bytes of all experts.
    pub bytes: u64,
    /// Bytes of experts that one token touches.
    pub bytes_per_token: u64,
    /// Experts that one token touches over all layers: as many reads where each expert lies in one piece.
    pub reads_per_token: u64,
}

impl Experts {
    /// Of a model; `None` where it has none.
    pub fn of(model: &ModelFiles) -> Option<Self> {
        let mut layers: BTreeMap<usize, (u64, u64)> = BTreeMap::new();
        for tensor in model.tensors() {
            let Some((layer, count)) = expert_of(tensor) else { continue };
            let entry = layers.entry(layer).or_insert((0, 0));
            *entry = (entry.0.max(count), entry.1.saturating_add(tensor.bytes));
        }
        if layers.is_empty() {
            return None;
        }
        let (mut all, mut touched, mut reads, mut most) = (0_u64, 0_u64, 0_u64, 0);
        for (layer, (count, bytes)) in &layers {
            let used = used(model, *layer).min(*count);
            all = all.saturating_add(*bytes);
            touched = touched.saturating_add((bytes / count).saturating_mul(used));
            reads = reads.saturating_add(used);
            most = most.max(used);
        }
        Some(Self {
            count: layers.values().map(|(count, _)| *count).max().unwrap_or(0),
            used: most,
            layers: layers.len() as u64,
            bytes: all,
            bytes_per_token: touched,
            reads_per_token: reads,
        })
    }
}

/// The layer and the number of experts of a tensor that holds experts, one after the other.
pub(super) fn expert_of(tensor: &TensorInfo) -> Option<(usize, u64)> {
    let (layer, rest) = tensor.name.strip_prefix("blk.")?.split_once('.')?;
    let count = tensor.dims.get(2).copied().filter(|count| *count > 0)?;
    (rest.contains("_exps.")).then_some((layer.parse().ok()?, count))
}

fn used(model: &ModelFiles, layer: usize) -> u64 {
    let file = model.first();
    let key = format!("{}.expert_used_count", file.architecture().unwrap_or_default());
    match file.get(&key) {
        Some(crate::Value::Array(crate::Array::U32(list))) => {
            list.get(layer).map_or(0, |used| u64::from(*used))
        }
        Some(crate::Value::Array(crate::Array::I32(list))) => {
            list.get(layer).and_then(|used| u64::try_from(*used).ok()).unwrap_or(0)
        }
        value => value.and_then(crate::Value::as_u64).unwrap_or(0),
    }
}
