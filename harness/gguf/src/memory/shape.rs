//! The sizes of a model, as llama.cpp's `llama_hparams` has them after loading.

use crate::GgufFile;

use super::MemoryError;
use super::architecture::Memory;
use super::indexer::Indexer;
use super::keys::{Keys, MOST_LAYERS};
use super::states::{Sizes, States};
use super::window::Window;

/// What of a model's header decides how much memory its contexts take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    pub(super) architecture: String,
    /// Layers, those included that predict ahead.
    pub(super) all: u64,
    /// The model's own layers.
    pub(super) n_layer: u64,
    pub(super) n_ctx_train: u64,
    pub(super) n_embd: u64,
    /// Heads of the first layer.
    pub(super) n_head: u64,
    pub(super) kv_heads: Vec<u64>,
    pub(super) feed_forward: Vec<u64>,
    /// Widths of a key and a value in one head, in layers that see everything.
    pub(super) head: (u64, u64),
    /// The same in layers that see a window.
    pub(super) window_head: (u64, u64),
    pub(super) window: Option<Window>,
    pub(super) states: States,
    /// Keys alone are kept: latent attention.
    pub(super) latent: bool,
    /// The first so many layers have keys and values of their own; the rest use theirs.
    pub(super) own_kv: Option<u64>,
    pub(super) indexer: Indexer,
    pub(super) memory: Memory,
    pub(super) n_vocab: u64,
}

impl Shape {
    /// Reads it from a file's header.
    ///
    /// # Errors
    /// Where llama.cpp would not load the model for its sizes, or they make no sense.
    pub fn read(file: &GgufFile) -> Result<Self, MemoryError> {
        let keys = Keys::new(file)?;
        let architecture = keys.architecture();
        let memory = Memory::of(architecture);
        let listed = layer_count(&keys)?;
        let mut kv_heads = Vec::new();
        let heads = keys.each("attention.head_count", listed)?.unwrap_or_else(|| vec![0; listed as usize]);
        kv_heads.extend(keys.each("attention.head_count_kv", listed)?.unwrap_or_else(|| heads.clone()));
        let mut feed_forward =
            keys.each("feed_forward_length", listed)?.unwrap_or_else(|| vec![0; listed as usize]);
        let (all, ahead) = layers(&keys, listed, &mut kv_heads, &mut feed_forward)?;
        let n_layer = all - ahead;
        let n_embd = keys.required("embedding_length")?;
        let (head, window_head) = widths(&keys, n_embd, heads[0])?;
        let sizes = Sizes { n_embd, n_head: heads[0], head_k: head.0 };
        let states = States::read(&keys, all, n_layer, &kv_heads, &feed_forward, &sizes)?;
        let window = Window::read(&keys, all, n_layer, &states.layers)?;
        let latent = |key| Ok::<_, MemoryError>(keys.number_or_zero(key)? != 0);
        Ok(Self {
            architecture: architecture.to_owned(),
            n_ctx_train: keys.required("context_length")?,
            latent: latent("attention.key_length_mla")? && latent("attention.value_length_mla")?,
            own_kv: own_kv(&keys, all)?,
            indexer: Indexer::read(&keys, all, n_layer)?,
            n_vocab: vocabulary(&keys)?,
            memory,
            all,
            n_layer,
            n_embd,
            n_head: heads[0],
            kv_heads,
            feed_forward,
            head,
            window_head,
            window,
            states,
        })
    }

    /// `general.architecture`.
    pub fn architecture(&self) -> &str {
        &self.architecture
    }

    /// Layers of the model itself.
    pub const fn n_layer(&self) -> u64 {
        self.n_layer
    }

    /// The context that the model was trained for, in tokens.
    pub const fn n_ctx_train(&self) -> u64 {
        self.n_ctx_train
    }

    /// Tokens in the vocabulary.
    pub const fn n_vocab(&self) -> u64 {
        self.n_vocab
    }

    /// Width of the residual stream.
    pub const fn n_embd(&self) -> u64 {
        self.n_embd
    }

    /// Attention heads of the first layer.
    pub const fn heads(&self) -> u64 {
        self.n_head
    }

    /// The widest feed-forward network, in units.
    pub fn n_ff(&self) -> u64 {
        self.feed_forward.iter().copied().max().unwrap_or(0)
    }

    /// Width of the window that some layers are held to, in tokens; `None` where all see everything.
    pub fn sliding_window(&self) -> Option<u64> {
        self.window.as_ref().map(|window| window.tokens)
    }

    /// Whether some layers keep a state that does not grow, instead of a cache.
    pub fn is_recurrent(&self) -> bool {
        self.states.layers.iter().any(|recurrent| *recurrent)
    }

    pub(super) fn slides(&self, layer: usize) -> bool {
        self.window.as_ref().is_some_and(|window| window.layers[layer])
    }

    /// Widths of all keys and all values of one token in `layer`.
    pub(super) fn rows(&self, layer: usize) -> (u64, u64) {
        let (k, v) = if self.slides(layer) { self.window_head } else { self.head };
        (k.saturating_mul(self.kv_heads[layer]), v.saturating_mul(self.kv_heads[layer]))
    }

    pub(super) fn has_kv(&self, layer: usize) -> bool {
        self.own_kv.is_none_or(|own| (layer as u64) < own)
    }

    pub(super) const fn is_own(&self, layer: usize) -> bool {
        (layer as u64) < self.n_layer
    }
}

fn layer_count(keys: &Keys<'_>) -> Result<u64, MemoryError> {
    let layers = keys.required("block_count")?;
    if (1..=MOST_LAYERS).contains(&layers) {
        return Ok(layers);
    }
    let key = format!("{}.block_count", keys.architecture());
    Err(MemoryError::BadValue {
        key,
        problem: format!("is {layers}, and llama.cpp takes 1 to {MOST_LAYERS}"),
    })
}

/// All layers, and how many of them predict ahead. Two architectures have more than the file lists.
fn layers(
    keys: &Keys<'_>,
    listed: u64,
    kv_heads: &mut Vec<u64>,
    feed_forward: &mut Vec<u64>,
) -> Result<(u64, u64), MemoryError> {
    let bad = |key: &str, problem: &str| {
        Err(MemoryError::BadValue {
            key: format!("{}.{key}", keys.architecture()),
            problem: problem.to_owned(),
        })
    };
    let ahead = keys.number_or_zero("nextn_predict_layers")?;
    if ahead > listed {
        return bad("nextn_predict_layers", "is more than there are layers");
    }
    match keys.architecture() {
        "nanbeige" => {
            let loops = keys.number("num_loops")?.unwrap_or(1);
            let own = listed - ahead;
            if loops == 0 || own.saturating_mul(loops) > MOST_LAYERS {
                return bad("num_loops", "makes no layers, or more than llama.cpp has room for");
            }
            if loops > 1 {
                let repeat = |list: &mut Vec<u64>| *list = list[..own as usize].repeat(loops as usize);
                repeat(kv_heads);
                repeat(feed_forward);
                return Ok((own * loops, ahead.min(own * loops)));
            }
            Ok((listed, ahead))
        }
        // A router behind the last layer, with one head.
        "graniteswitch" => {
            kv_heads.truncate((listed - ahead) as usize);
            feed_forward.truncate((listed - ahead) as usize);
            kv_heads.push(1);
            feed_forward.push(0);
            Ok((listed - ahead + 1, 1))
        }
        // The head that predicts ahead is not in every file.
        "deepseek4" if ahead > 0 => {
            let probe = format!("blk.{}.nextn.eh_proj.weight", listed - ahead);
            Ok((listed, if keys.file().tensor(&probe).is_some() { ahead } else { 0 }))
        }
        _ => Ok((listed, ahead)),
    }
}

type Widths = ((u64, u64), (u64, u64));

/// Widths of one head's key and value: without and with a window.
fn widths(keys: &Keys<'_>, n_embd: u64, n_head: u64) -> Result<Widths, MemoryError> {
    let or = |key: &str, default: u64| Ok::<_, MemoryError>(keys.number(key)?.unwrap_or(default));
    let reads = n_head > 0 || keys.architecture() == "plamo2";
    let share = n_embd.checked_div(n_head).unwrap_or(0);
    let head = if reads {
        (or("attention.key_length", share)?, or("attention.value_length", share)?)
    } else {
        (0, 0)
    };
    let window = (or("attention.key_length_swa", head.0)?, or("attention.value_length_swa", head.1)?);
    Ok((head, window))
}

fn own_kv(keys: &Keys<'_>, all: u64) -> Result<Option<u64>, MemoryError> {
    Ok(match keys.architecture() {
        "gemma3n" => Some(20),
        "gemma4" => Some(all.saturating_sub(keys.number_or_zero("attention.shared_kv_layers")?)),
        _ => None,
    })
}

fn vocabulary(keys: &Keys<'_>) -> Result<u64, MemoryError> {
    match keys.file().tokens() {
        Some(tokens) => Ok(tokens.len() as u64),
        None => keys.number_or_zero("vocab_size"),
    }
}
