//! How a model is loaded and a context is made. Two requests with equal configurations can share a worker.

use serde::{Deserialize, Serialize};

/// Everything that a worker needs to know before the first token.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Which engine runs llama.cpp.
    #[serde(skip_serializing_if = "is_default")]
    pub engine: EngineKind,
    /// How the model is loaded.
    #[serde(skip_serializing_if = "is_default")]
    pub load: LoadConfig,
    /// How the context is made.
    #[serde(skip_serializing_if = "is_default")]
    pub context: ContextConfig,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Which layer of bindings the probe goes through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EngineKind {
    /// llama-cpp-sys-2 with the probe's own ownership types: every return code is seen.
    #[default]
    Raw,
    /// llama-cpp-2 alone, as a Rust app would use it; itself a wrapper under test.
    Safe,
}

/// Parameters of `llama_model_load_from_file`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct LoadConfig {
    /// Layers to offload; −1 means all. `None`: what the subject's backend stands for.
    pub gpu_layers: Option<i32>,
    /// `llama_load_mode`.
    pub mode: LoadMode,
    /// Weight repacking into an extra buffer (`CPU_REPACK`).
    pub use_extra_bufts: bool,
    /// Validate tensor data while loading.
    pub check_tensors: bool,
    /// Read the vocabulary and no weights: no context can be made of it.
    #[serde(skip_serializing_if = "is_default")]
    pub vocab_only: bool,
    /// Where the weights come from.
    #[serde(skip_serializing_if = "is_default")]
    pub weights: Weights,
    /// Reckon all sizes and allocate nothing: only good for `load`.
    #[serde(skip_serializing_if = "is_default")]
    pub no_alloc: bool,
}

impl Default for LoadConfig {
    fn default() -> Self {
        Self {
            gpu_layers: None,
            mode: LoadMode::Mmap,
            use_extra_bufts: true,
            check_tensors: false,
            vocab_only: false,
            weights: Weights::File,
            no_alloc: false,
        }
    }
}

/// Where the weights of a model come from. Drawn ones are random, the same for the same names and shapes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Weights {
    /// From the file.
    #[default]
    File,
    /// The file has metadata alone, and the weights are drawn: `llama_model_init_from_user`.
    Drawn,
    /// As drawn, then written to a file, which is loaded as any other.
    Saved,
}

/// How the weights reach memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LoadMode {
    /// Read into allocated buffers.
    None,
    /// One read-only shared map of the whole file.
    #[default]
    Mmap,
}

/// Parameters of `llama_init_from_model`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ContextConfig {
    /// Tokens of context asked for; llama.cpp pads it up to a multiple of 256. Never 0: that would mean the
    /// training context.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub n_ctx: u32,
    /// Most tokens in one `llama_decode` call.
    pub n_batch: u32,
    /// Most tokens computed at once.
    pub n_ubatch: u32,
    /// Threads. ggml's barrier spins: never more than there are free cores.
    pub n_threads: u32,
    /// Sequences.
    pub n_seq_max: u32,
    /// Type of the K cache.
    pub type_k: KvType,
    /// Type of the V cache; anything but f16 and f32 needs flash attention.
    pub type_v: KvType,
    /// Flash attention.
    pub flash_attention: FlashAttention,
    /// A full-size KV cache for sliding-window layers.
    pub swa_full: bool,
}

impl Default for ContextConfig {
    fn default() -> Self {
        Self {
            n_ctx: 512,
            n_batch: 512,
            n_ubatch: 512,
            n_threads: 1,
            n_seq_max: 1,
            type_k: KvType::F16,
            type_v: KvType::F16,
            flash_attention: FlashAttention::Auto,
            swa_full: true,
        }
    }
}

/// An element type of the KV cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum KvType {
    /// 32-bit floats.
    F32,
    /// 16-bit floats.
    #[default]
    F16,
    /// 8-bit blocks of 32.
    Q8_0,
    /// 4-bit blocks of 32.
    Q4_0,
}

/// `llama_flash_attn_type`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FlashAttention {
    /// llama.cpp decides.
    #[default]
    Auto,
    /// Off.
    Off,
    /// On.
    On,
}
