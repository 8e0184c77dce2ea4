//! A context on a model.

use std::{path::Path, ptr::NonNull, rc::Rc, slice};

use llama_cpp_sys_2 as sys;
use wire::{BufferMemory, ContextConfig, Graph, Layer, MemoryState, Node, Refusal, Watch};

use super::{
    batch::Batch, breakdown::breakdown, model::RawModel, observer::Observer, params, text::c_string,
};
use crate::{
    engine::{Context, Outputs},
    log,
    refuse::{bad_request, context_refusal, load_refusal},
};

/// The sequence that the probe observes.
const SEQUENCE: sys::llama_seq_id = 0;

/// A context, freed on drop, before its observer and its model.
#[derive(Debug)]
pub(crate) struct RawContext {
    context: NonNull<sys::llama_context>,
    batch: Batch,
    observer: Box<Observer>,
    /// Its adapters; they belong to the model, which outlives the context.
    adapters: Vec<NonNull<sys::llama_adapter_lora>>,
    model: Rc<RawModel>,
}

impl RawContext {
    /// Makes a context on `model`.
    pub(super) fn new(model: Rc<RawModel>, config: &ContextConfig) -> Result<Self, Refusal> {
        let mut observer = Box::<Observer>::default();
        let params = params::context(config, model.cpu_only, (&raw mut *observer).cast());
        // SAFETY: the model lives, and the observer's address stays the same until the context is freed.
        let context = unsafe { sys::llama_init_from_model(model.as_ptr(), params) };
        let context = NonNull::new(context).ok_or_else(|| context_refusal(&log::problems()))?;
        Ok(Self { context, batch: Batch::default(), observer, adapters: Vec::new(), model })
    }

    fn memory_handle(&self) -> sys::llama_memory_t {
        // SAFETY: the context lives. Null, for models without memory, is taken by every function that we give it to.
        unsafe { sys::llama_get_memory(self.context.as_ptr()) }
    }
}

impl Drop for RawContext {
    fn drop(&mut self) {
        // SAFETY: this is the only owner.
        unsafe { sys::llama_free(self.context.as_ptr()) };
        for adapter in &self.adapters {
            // SAFETY: it was loaded by this context alone, which no longer uses it, and its model lives.
            unsafe { sys::llama_adapter_lora_free(adapter.as_ptr()) };
        }
    }
}

impl Context for RawContext {
    fn n_ctx(&self) -> u32 {
        // SAFETY: the context lives.
        unsafe { sys::llama_n_ctx_seq(self.context.as_ptr()) }
    }

    fn n_batch(&self) -> u32 {
        // SAFETY: the context lives.
        unsafe { sys::llama_n_batch(self.context.as_ptr()) }
    }

    fn decode(&mut self, tokens: &[i32], pos: i32, outputs: Outputs) -> Result<i32, Refusal> {
        self.decode_together(&[tokens], pos, outputs)
    }

    fn decode_together(&mut self, sequences: &[&[i32]], pos: i32, outputs: Outputs) -> Result<i32, Refusal> {
        let batch = self.batch.fill(sequences, pos, outputs);
        self.observer.begin_call();
        // SAFETY: the batch's arrays have `n_tokens` elements each and live until it is filled again.
        Ok(unsafe { sys::llama_decode(self.context.as_ptr(), batch) })
    }

    fn adapt(&mut self, path: &Path) -> Result<(), Refusal> {
        let path =
            path.to_str().ok_or_else(|| bad_request(Layer::Load, "the adapter's path is not UTF-8"))?;
        let path = c_string(Layer::Load, path)?;
        // SAFETY: the model lives, and the path is a C string.
        let adapter = unsafe { sys::llama_adapter_lora_init(self.model.as_ptr(), path.as_ptr()) };
        self.adapters.push(NonNull::new(adapter).ok_or_else(|| load_refusal(&log::problems()))?);
        let mut all: Vec<_> = self.adapters.iter().map(|adapter| adapter.as_ptr()).collect();
        let mut scales = vec![1.0_f32; all.len()];
        // SAFETY: both arrays are as long as it says and outlive the call, which copies them; the adapters live until the
        // context is freed.
        let code = unsafe {
            sys::llama_set_adapters_lora(
                self.context.as_ptr(),
                all.as_mut_ptr(),
                all.len(),
                scales.as_mut_ptr(),
            )
        };
        if code == 0 { Ok(()) } else { Err(load_refusal(&log::problems())) }
    }

    fn logits(&mut self, index: usize) -> &[f32] {
        let Ok(index) = i32::try_from(index) else { return &[] };
        // SAFETY: the context lives; llama.cpp checks the index and returns null for a bad one.
        let logits = unsafe { sys::llama_get_logits_ith(self.context.as_ptr(), index) };
        if logits.is_null() {
            return &[];
        }
        // SAFETY: one row has as many floats as the vocabulary has tokens, and stays until the next decode, for
        // which the context must be borrowed again.
        unsafe { slice::from_raw_parts(logits, self.model.n_vocab().max(0) as usize) }
    }

    fn clear(&mut self, data: bool) -> Result<(), Refusal> {
        // SAFETY: the handle is the context's own.
        unsafe { sys::llama_memory_clear(self.memory_handle(), data) };
        Ok(())
    }

    fn remove(&mut self, from: i32, to: Option<i32>) -> bool {
        // SAFETY: the handle is the context's own; −1 stands for the end.
        unsafe { sys::llama_memory_seq_rm(self.memory_handle(), SEQUENCE, from, to.unwrap_or(-1)) }
    }

    fn shift(&mut self, from: i32, delta: i32) -> Result<(), Refusal> {
        // SAFETY: the handle is the context's own; −1 stands for the end.
        unsafe { sys::llama_memory_seq_add(self.memory_handle(), SEQUENCE, from, -1, delta) };
        Ok(())
    }

    fn can_shift(&self) -> Option<bool> {
        // SAFETY: the handle is the context's own.
        Some(unsafe { sys::llama_memory_can_shift(self.memory_handle()) })
    }

    fn memory(&self) -> MemoryState {
        let memory = self.memory_handle();
        // SAFETY: the handle is the context's own.
        unsafe {
            MemoryState {
                pos_min: sys::llama_memory_seq_pos_min(memory, SEQUENCE),
                pos_max: sys::llama_memory_seq_pos_max(memory, SEQUENCE),
            }
        }
    }

    fn allocated(&self) -> Vec<BufferMemory> {
        // SAFETY: the context lives.
        unsafe { breakdown(self.context.as_ptr()) }
    }

    fn take_nodes(&mut self) -> Vec<Node> {
        self.observer.take_nodes()
    }

    fn watch(&mut self, watch: Option<Watch>) -> Result<(), Refusal> {
        self.observer.watch(watch);
        Ok(())
    }

    fn take_graph(&mut self) -> Option<Graph> {
        self.observer.take_graph()
    }
}
