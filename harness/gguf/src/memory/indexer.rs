//! Sparse attention: the small cache by which a layer chooses what it looks at, and DeepSeek 4's compressed ones.

use super::MemoryError;
use super::keys::Keys;

/// Sizes of an indexer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Indexer {
    /// Width of its one key head.
    pub(super) width: u64,
    /// Tokens that it chooses; 0 where there is none.
    pub(super) top_k: u64,
    /// For each layer, whether it has one of its own.
    pub(super) layers: Vec<bool>,
    /// By how much a layer compresses its keys, 0 for not at all.
    pub(super) ratios: Vec<u64>,
    /// Leading layers without experts, which in one architecture have no indexer.
    pub(super) dense_lead: u64,
}

/// What a DeepSeek-architecture of GLM 5.2 has where the file does not list it: three full layers, then each fourth.
const GLM_LONG_CONTEXT: u64 = 1_048_576;

impl Indexer {
    /// The indexer of a model with `all` layers, the first `n_layer` its own.
    pub(super) fn read(keys: &Keys<'_>, all: u64, n_layer: u64) -> Result<Self, MemoryError> {
        let sparse = matches!(
            keys.architecture(),
            "deepseek32"
                | "glm-dsa"
                | "glm5-next"
                | "hy_v4"
                | "dots3note"
                | "deepseek4"
                | "minimax-m3"
                | "qwen4exp"
        );
        if !sparse {
            return Ok(Self::default());
        }
        let ratios = match keys.architecture() {
            "deepseek4" => keys.required_list("attention.compress_ratios")?,
            "qwen4exp" => keys.each("attention.compress_ratios", all)?.unwrap_or_default(),
            _ => Vec::new(),
        };
        if keys.architecture() == "deepseek4" && (ratios.len() as u64) < all {
            let key = "deepseek4.attention.compress_ratios".to_owned();
            return Err(MemoryError::BadValue {
                key,
                problem: "is shorter than there are layers".to_owned(),
            });
        }
        Ok(Self {
            width: keys.number_or_zero("attention.indexer.key_length")?,
            top_k: keys.number_or_zero("attention.indexer.top_k")?,
            layers: layers(keys, all, n_layer)?,
            dense_lead: keys.number_or_zero("leading_dense_block_count")?,
            ratios,
        })
    }

    /// Slots of the indexer's width in one row: a key alone, or with what pools it.
    pub(super) fn slots(&self, architecture: &str) -> u64 {
        match architecture {
            // Key, gate, pooled key.
            "glm5-next" => 3,
            // Key, pooled key, where layers pool at all.
            "qwen4exp" if self.ratios.iter().any(|ratio| *ratio > 0) => 2,
            _ => 1,
        }
    }
}

fn layers(keys: &Keys<'_>, all: u64, n_layer: u64) -> Result<Vec<bool>, MemoryError> {
    const TYPES: &str = "attention.indexer.types";
    let listed = match keys.architecture() {
        "glm-dsa" | "glm5-next" | "hy_v4" => keys.each(TYPES, n_layer)?,
        "dots3note" => Some(keys.required_list(TYPES)?),
        _ => return Ok(vec![true; all as usize]),
    };
    let long = keys.number_or_zero("context_length")? >= GLM_LONG_CONTEXT;
    let default = |layer: u64| match keys.architecture() {
        "glm-dsa" if long => layer < 3 || (layer - 2).is_multiple_of(4),
        "hy_v4" | "dots3note" => false,
        _ => true,
    };
    let full = |layer: u64| match &listed {
        Some(list) => list.get(layer as usize).is_some_and(|flag| *flag != 0),
        None => default(layer),
    };
    Ok((0..all).map(full).collect())
}
