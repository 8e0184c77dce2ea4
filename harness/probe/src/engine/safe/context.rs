//! A context on a model, by llama-cpp-2.

use std::{num::NonZeroU32, rc::Rc};

use llama_cpp_2::{
    DecodeError,
    context::{
        LlamaContext,
        params::{KvCacheType, LlamaContextParams},
    },
    llama_batch::LlamaBatch,
    model::LlamaModel,
    token::LlamaToken,
};
use self_cell::self_cell;
use wire::{ContextConfig, FlashAttention, KvType, Layer, MemoryState, Refusal, RefusalCode};

use super::engine::backend;
use crate::{
    engine::{Context, Outputs},
    log,
    refuse::{context_refusal, refuse, unsupported},
};

/// The one sequence that the probe uses.
const SEQUENCE: i32 = 0;

self_cell! {
    /// A context together with the model that it borrows.
    pub(super) struct SafeContext {
        owner: Rc<LlamaModel>,
        #[not_covariant]
        dependent: LlamaContext,
    }
}

impl SafeContext {
    /// Makes a context on `model`.
    pub(super) fn make(
        model: Rc<LlamaModel>,
        config: &ContextConfig,
        cpu_only: bool,
    ) -> Result<Self, Refusal> {
        let backend = backend()?;
        Self::try_new(model, |model| {
            model
                .new_context(backend, params(config, cpu_only))
                .map_err(|_| context_refusal(&log::problems()))
        })
    }
}

fn params(config: &ContextConfig, cpu_only: bool) -> LlamaContextParams {
    let threads = config.n_threads.cast_signed();
    // The numbers of `llama_flash_attn_type`, which llama-cpp-2 takes as they are.
    let flash_attention = match config.flash_attention {
        FlashAttention::Auto => -1,
        FlashAttention::Off => 0,
        FlashAttention::On => 1,
    };
    LlamaContextParams::default()
        .with_n_ctx(NonZeroU32::new(config.n_ctx))
        .with_n_batch(config.n_batch)
        .with_n_ubatch(config.n_ubatch)
        .with_n_seq_max(config.n_seq_max)
        .with_n_threads(threads)
        .with_n_threads_batch(threads)
        .with_type_k(kv_type(config.type_k))
        .with_type_v(kv_type(config.type_v))
        .with_flash_attention_policy(flash_attention)
        .with_swa_full(config.swa_full)
        .with_offload_kqv(!cpu_only)
        .with_op_offload(!cpu_only)
}

const fn kv_type(kind: KvType) -> KvCacheType {
    match kind {
        KvType::F32 => KvCacheType::F32,
        KvType::F16 => KvCacheType::F16,
        KvType::Q8_0 => KvCacheType::Q8_0,
        KvType::Q4_0 => KvCacheType::Q4_0,
    }
}

/// A position as llama-cpp-2 takes it.
fn position(pos: i32) -> Option<u32> {
    u32::try_from(pos).ok()
}

impl Context for SafeContext {
    /// llama-cpp-2 has no `llama_n_ctx_seq`; with one sequence the whole context is the same.
    fn n_ctx(&self) -> u32 {
        self.with_dependent(|_, context| context.n_ctx())
    }

    fn n_batch(&self) -> u32 {
        self.with_dependent(|_, context| context.n_batch())
    }

    fn decode(&mut self, tokens: &[i32], pos: i32, outputs: Outputs) -> Result<i32, Refusal> {
        let mut batch = LlamaBatch::new(tokens.len().max(1), 1);
        for ((index, &token), pos) in tokens.iter().enumerate().zip(pos..) {
            batch
                .add(LlamaToken(token), pos, &[SEQUENCE], outputs.wants(index, tokens.len()))
                .map_err(|error| refuse(Layer::Prefill, RefusalCode::Unsupported, error.to_string()))?;
        }
        Ok(match self.with_dependent_mut(|_, context| context.decode(&mut batch)) {
            Ok(()) => 0,
            Err(DecodeError::NoKvCacheSlot) => 1,
            Err(DecodeError::NTokensZero) => -1,
            Err(DecodeError::Unknown(code)) => code,
        })
    }

    fn logits(&mut self, index: usize) -> &[f32] {
        self.with_dependent_mut(|_, context| context.get_logits_ith(index as i32))
    }

    fn clear(&mut self, data: bool) -> Result<(), Refusal> {
        if !data {
            let message = "llama-cpp-2 always clears the data too; use the raw engine";
            return Err(unsupported(Layer::Memory, message));
        }
        self.with_dependent_mut(|_, context| context.clear_kv_cache());
        Ok(())
    }

    fn remove(&mut self, from: i32, to: Option<i32>) -> bool {
        let (from, to) = (position(from), to.and_then(position));
        self.with_dependent_mut(|_, context| context.kv_cache_seq_rm(SEQUENCE, from, to).is_ok())
    }

    fn shift(&mut self, from: i32, delta: i32) -> Result<(), Refusal> {
        self.with_dependent_mut(|_, context| context.kv_cache_seq_add(SEQUENCE, position(from), None, delta))
            .map_err(|error| refuse(Layer::Memory, RefusalCode::CannotShift, error.to_string()))
    }

    fn can_shift(&self) -> Option<bool> {
        None
    }

    fn memory(&self) -> MemoryState {
        self.with_dependent(|_, context| MemoryState {
            pos_min: context.kv_cache_seq_pos_min(SEQUENCE),
            pos_max: context.kv_cache_seq_pos_max(SEQUENCE),
        })
    }
}
