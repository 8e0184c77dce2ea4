//! What recurrent layers keep instead of a cache: which layers they are, and how large a state is.

use super::MemoryError;
use super::keys::Keys;

/// The states of a model's recurrent layers, in elements of 32 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct States {
    /// For each layer, whether it keeps a state.
    pub(super) layers: Vec<bool>,
    /// Elements of the rolling state: convolutions, token shifts.
    pub(super) rolling: u64,
    /// Elements of the recurrent state.
    pub(super) recurrent: u64,
    /// Elements of the history that one layer keeps besides, and which layer.
    pub(super) history: Option<(u64, usize)>,
}

/// Sizes of which the states are made.
pub(super) struct Sizes {
    pub(super) n_embd: u64,
    /// Heads of the first layer.
    pub(super) n_head: u64,
    pub(super) head_k: u64,
}

impl States {
    /// The states of a model with `all` layers, the first `n_layer` its own.
    pub(super) fn read(
        keys: &Keys<'_>,
        all: u64,
        n_layer: u64,
        kv_heads: &[u64],
        feed_forward: &[u64],
        sizes: &Sizes,
    ) -> Result<Self, MemoryError> {
        let layers = layers(keys, all, n_layer, kv_heads, feed_forward)?;
        let (rolling, recurrent) = elements(keys, sizes)?;
        let history =
            if keys.architecture() == "qwen4exp" { history(keys, all as usize, sizes)? } else { None };
        Ok(Self { layers, rolling, recurrent, history })
    }
}

fn layers(
    keys: &Keys<'_>,
    all: u64,
    n_layer: u64,
    kv_heads: &[u64],
    feed_forward: &[u64],
) -> Result<Vec<bool>, MemoryError> {
    let own = |layer: usize| (layer as u64) < n_layer;
    let every = 0..all as usize;
    Ok(match keys.architecture() {
        "mamba" | "mamba2" | "rwkv6" | "rwkv6qwen2" | "rwkv7" | "arwkv7" | "falcon-h1" => {
            vec![true; all as usize]
        }
        "glm5-next" => every.map(|layer| kv_heads[layer] == 0).collect(),
        "jamba" | "granitehybrid" | "lfm2" | "lfm2moe" | "plamo2" | "kimi-linear" | "kimi-k3"
        | "bailingmoe3" => every.map(|layer| own(layer) && kv_heads[layer] == 0).collect(),
        "nemotron_h" | "nemotron_h_moe" => {
            every.map(|layer| own(layer) && kv_heads[layer] == 0 && feed_forward[layer] == 0).collect()
        }
        "qwen3next" | "qwen35" | "qwen35moe" | "qwen4exp" | "minimax-01" => interval(keys, all, n_layer)?,
        _ => vec![false; all as usize],
    })
}

/// A list, or every layer but each n-th.
fn interval(keys: &Keys<'_>, all: u64, n_layer: u64) -> Result<Vec<bool>, MemoryError> {
    if let Some(list) = keys.each("attention.recurrent_layers", all)? {
        return Ok(list.into_iter().map(|flag| flag != 0).collect());
    }
    let default = if keys.architecture() == "minimax-01" { 8 } else { 4 };
    let interval = keys.number("full_attention_interval")?.unwrap_or(default);
    if interval == 0 {
        let key = format!("{}.full_attention_interval", keys.architecture());
        return Err(MemoryError::BadValue { key, problem: "is 0".to_owned() });
    }
    Ok((0..all).map(|layer| layer < n_layer && !(layer + 1).is_multiple_of(interval)).collect())
}

/// `llama_hparams::n_embd_r` and `n_embd_s`: the first of four families whose size the file gives.
fn elements(keys: &Keys<'_>, sizes: &Sizes) -> Result<(u64, u64), MemoryError> {
    let zero = |key: &str| keys.number_or_zero(key);
    let architecture = keys.architecture();
    if matches!(architecture, "rwkv6" | "rwkv6qwen2" | "rwkv7" | "arwkv7") {
        let shifts = keys.number("token_shift_count")?.unwrap_or(2);
        let head = keys.required("wkv.head_size")?;
        return Ok((shifts.saturating_mul(sizes.n_embd), sizes.n_embd.saturating_mul(head)));
    }
    if matches!(architecture, "lfm2" | "lfm2moe") {
        let cache = keys.required("shortconv.l_cache")?;
        return Ok((sizes.n_embd.saturating_mul(cache.saturating_sub(1)), 0));
    }
    let conv = zero("ssm.conv_kernel")?;
    let square = |head: u64| head.saturating_mul(head).saturating_mul(sizes.n_head);
    if matches!(architecture, "kimi-linear" | "kimi-k3" | "bailingmoe3" | "glm5-next") {
        let head = keys.required("kda.head_dim")?;
        let taps = if conv > 0 { conv - 1 } else { 3 };
        let rolling = 3_u64.saturating_mul(taps).saturating_mul(sizes.n_head).saturating_mul(head);
        return Ok((rolling, square(head)));
    }
    if architecture == "minimax-01" {
        return Ok((0, square(sizes.head_k)));
    }
    let (inner, state) = (zero("ssm.inner_size")?, zero("ssm.state_size")?);
    // The first two generations have no groups, whatever the file says.
    let groups = if matches!(architecture, "mamba" | "jamba") { 0 } else { zero("ssm.group_count")? };
    let channels = inner.saturating_add(2_u64.saturating_mul(groups).saturating_mul(state));
    let rolling = conv.saturating_sub(1).saturating_mul(channels);
    Ok((rolling, state.saturating_mul(inner)))
}

/// `llama_hparams::ple_conv_state`, and the one layer that keeps it.
fn history(keys: &Keys<'_>, all: usize, sizes: &Sizes) -> Result<Option<(u64, usize)>, MemoryError> {
    let listed = keys.list("ple.layers")?.unwrap_or_default();
    let Some(layer) = listed.first().map(|layer| *layer as usize).filter(|layer| *layer < all) else {
        return Ok(None);
    };
    let (grams, heads) = (keys.required("ple.ngram_size")?, keys.required("ple.heads_per_ngram")?);
    let kernel = keys.required("ple.conv_kernel")?;
    if grams.saturating_sub(1).saturating_mul(heads) == 0 || kernel == 0 {
        return Ok(None);
    }
    let streams = keys.required("hyper_connection.count")?;
    let elements = [grams, streams, sizes.n_embd].into_iter().fold(kernel - 1, u64::saturating_mul);
    Ok(Some((elements, layer)))
}
