//! How the app means to use the model.

use gguf::TensorType;
use gguf::memory::ContextParams;

/// How the app means to use the model. The default is what llama.cpp does where an app says nothing, on a phone's GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Tokens of context; 0 means the training context, and `None` that it was not said.
    pub n_ctx: Option<u64>,
    /// Element type of the keys.
    pub type_k: TensorType,
    /// Element type of the values.
    pub type_v: TensorType,
    /// Flash attention, on or left to llama.cpp.
    pub flash_attention: bool,
    /// A cache as long as the context for layers that see a window only: the C interface's default.
    pub swa_full: bool,
    /// Whether the file is mapped.
    pub mmap: bool,
    /// Whether the GPU is left out.
    pub cpu_only: bool,
    /// Sequences.
    pub sequences: u64,
    /// Most tokens computed at once.
    pub n_ubatch: u64,
    /// Tokens a second that are wanted.
    pub tokens_per_second: Option<f64>,
    /// Tokens of one question with its answer.
    pub turn_tokens: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            n_ctx: None,
            type_k: TensorType::F16,
            type_v: TensorType::F16,
            flash_attention: true,
            swa_full: true,
            mmap: true,
            cpu_only: false,
            sequences: 1,
            n_ubatch: 512,
            tokens_per_second: None,
            turn_tokens: None,
        }
    }
}

impl Options {
    /// The context's parameters, for `n_ctx` tokens.
    pub(crate) fn params(&self, n_ctx: u64) -> ContextParams {
        ContextParams {
            n_ctx,
            n_batch: 2048.max(self.n_ubatch),
            n_ubatch: self.n_ubatch,
            n_seq_max: self.sequences,
            kv_unified: false,
            type_k: self.type_k,
            type_v: self.type_v,
            flash_attention: self.flash_attention,
            swa_full: self.swa_full,
        }
    }
}
