//! What one generated token reads: the figure that bounds tokens a second by bytes a second.

use super::ModelFiles;
use super::experts::{Experts, expert_of};

/// What one token reads of the weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traffic {
    /// Bytes that every token reads: all but experts and what is only looked up.
    pub dense_bytes: u64,
    /// The experts, where there are some.
    pub experts: Option<Experts>,
}

impl Traffic {
    /// Of a model.
    pub fn of(model: &ModelFiles) -> Self {
        let tied = model.tensors().all(|tensor| tensor.name != "output.weight");
        let looked_up = |name: &str| {
            matches!(name, "per_layer_token_embd.weight" | "position_embd.weight")
                || (name == "token_embd.weight" && !tied)
        };
        let dense = model.tensors().filter(|tensor| expert_of(tensor).is_none());
        let bytes = dense.map(|tensor| {
            // One row of what is looked up.
            if looked_up(&tensor.name) {
                tensor.bytes / tensor.dims.get(1).copied().unwrap_or(1).max(1)
            } else {
                tensor.bytes
            }
        });
        Self { dense_bytes: bytes.fold(0, u64::saturating_add), experts: Experts::of(model) }
    }

    /// Bytes that one token reads.
    pub fn bytes_per_token(&self) -> u64 {
        let experts = self.experts.as_ref().map_or(0, |experts| experts.bytes_per_token);
        self.dense_bytes.saturating_add(experts)
    }
}
