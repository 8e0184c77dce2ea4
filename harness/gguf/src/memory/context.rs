//! How a context is made, in llama.cpp's own parameters.

use crate::TensorType;

/// The parameters of `llama_context_params` that decide how much memory a context takes. The default is llama.cpp's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextParams {
    /// Tokens asked for; 0 means the context that the model was trained for.
    pub n_ctx: u64,
    /// Most tokens in one call.
    pub n_batch: u64,
    /// Most tokens computed at once.
    pub n_ubatch: u64,
    /// Sequences.
    pub n_seq_max: u64,
    /// One cache that all sequences share.
    pub kv_unified: bool,
    /// Element type of the keys.
    pub type_k: TensorType,
    /// Element type of the values.
    pub type_v: TensorType,
    /// Whether flash attention is on or left to llama.cpp; off, values lie transposed.
    pub flash_attention: bool,
    /// A cache as long as the context for layers that see a window only.
    pub swa_full: bool,
}

impl Default for ContextParams {
    fn default() -> Self {
        Self {
            n_ctx: 512,
            n_batch: 2048,
            n_ubatch: 512,
            n_seq_max: 1,
            kv_unified: false,
            type_k: TensorType::F16,
            type_v: TensorType::F16,
            flash_attention: true,
            swa_full: true,
        }
    }
}

/// What llama.cpp rounds a context up to.
const STEP: u64 = 256;

const fn padded(tokens: u64) -> u64 {
    match tokens.checked_next_multiple_of(STEP) {
        Some(tokens) => tokens,
        None => u64::MAX,
    }
}

impl ContextParams {
    /// Tokens that one sequence has room for: padded, and divided where sequences do not share.
    pub fn n_ctx_seq(&self, n_ctx_train: u64) -> u64 {
        let whole = padded(self.asked(n_ctx_train));
        if self.kv_unified { whole } else { padded(whole / self.sequences()) }
    }

    /// Streams of cells: one for all sequences, or one for each.
    pub(super) fn streams(&self) -> u64 {
        if self.kv_unified { 1 } else { self.sequences() }
    }

    /// Sequences, of which there is always one.
    pub(super) fn sequences(&self) -> u64 {
        self.n_seq_max.max(1)
    }

    /// Cells of the cache of layers that see a window of `window` tokens, over `streams`.
    pub(super) fn window_cells(&self, n_ctx_train: u64, window: u64, unified: bool) -> u64 {
        let whole = self.n_ctx_seq(n_ctx_train);
        if self.swa_full {
            return whole;
        }
        let windows = window.saturating_mul(if unified { self.sequences() } else { 1 });
        padded(whole.min(windows.saturating_add(self.ubatch(n_ctx_train))))
    }

    /// Tokens that are computed at once: no more than a batch, no more than the context.
    pub fn ubatch(&self, n_ctx_train: u64) -> u64 {
        let batch = self.n_batch.min(self.asked(n_ctx_train));
        batch.min(if self.n_ubatch == 0 { self.n_batch } else { self.n_ubatch })
    }

    const fn asked(&self, n_ctx_train: u64) -> u64 {
        if self.n_ctx == 0 { n_ctx_train } else { self.n_ctx }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_are_padded_and_divided() {
        let context = |n_ctx, n_seq_max, kv_unified| {
            ContextParams { n_ctx, n_seq_max, kv_unified, ..ContextParams::default() }.n_ctx_seq(40_000)
        };
        assert_eq!(context(1, 1, false), 256);
        assert_eq!(context(4096, 1, false), 4096);
        assert_eq!(context(0, 1, false), 40_192);
        assert_eq!(context(1000, 3, false), 512);
        assert_eq!(context(1000, 3, true), 1024);
    }

    #[test]
    fn a_window_has_room_for_itself_and_what_is_computed_at_once() {
        let small = ContextParams { n_ctx: 8192, swa_full: false, ..ContextParams::default() };
        assert_eq!(small.window_cells(0, 1024, false), 1536);
        assert_eq!(ContextParams { n_ctx: 512, ..small }.window_cells(0, 1024, false), 512);
        assert_eq!(ContextParams { swa_full: true, ..small }.window_cells(0, 1024, false), 8192);
        assert_eq!(ContextParams { n_ubatch: 64, ..small }.window_cells(0, 32, false), 256);
    }
}
