//! A request's configuration in llama.cpp's words.

use std::{ffi::c_void, ptr};

use llama_cpp_sys_2 as sys;
use wire::{ContextConfig, FlashAttention, KvType, LoadConfig};

use super::{bridge, observer};

/// An empty device list: it ends at its first null.
pub(super) const NO_DEVICES: [sys::ggml_backend_dev_t; 1] = [ptr::null_mut()];

/// Model parameters. "CPU only" takes an empty device list as well as no layers: with devices registered, ggml
/// sends large matrix products to a GPU that holds no layer.
pub(super) fn model(
    config: &LoadConfig,
    cpu_only: bool,
    no_devices: &mut [sys::ggml_backend_dev_t; 1],
) -> sys::llama_model_params {
    // SAFETY: returns a struct by value.
    let mut params = unsafe { sys::llama_model_default_params() };
    if cpu_only {
        params.devices = no_devices.as_mut_ptr();
    }
    params.n_gpu_layers = config.gpu_layers.unwrap_or(if cpu_only { 0 } else { -1 });
    bridge::set_mode(&mut params, config.mode);
    params.use_extra_bufts = config.use_extra_bufts;
    params.check_tensors = config.check_tensors;
    params.vocab_only = config.vocab_only;
    bridge::set_no_alloc(&mut params, config.no_alloc);
    params
}

/// Context parameters, with `observer` (an [`observer::Observer`]) as evaluation callback.
pub(super) fn context(
    config: &ContextConfig,
    cpu_only: bool,
    observer: *mut c_void,
) -> sys::llama_context_params {
    // SAFETY: returns a struct by value.
    let mut params = unsafe { sys::llama_context_default_params() };
    params.n_ctx = config.n_ctx;
    params.n_batch = config.n_batch;
    params.n_ubatch = config.n_ubatch;
    params.n_seq_max = config.n_seq_max;
    params.n_threads = config.n_threads.cast_signed();
    params.n_threads_batch = config.n_threads.cast_signed();
    params.type_k = kv_type(config.type_k);
    params.type_v = kv_type(config.type_v);
    params.flash_attn_type = match config.flash_attention {
        FlashAttention::Auto => sys::LLAMA_FLASH_ATTN_TYPE_AUTO,
        FlashAttention::Off => sys::LLAMA_FLASH_ATTN_TYPE_DISABLED,
        FlashAttention::On => sys::LLAMA_FLASH_ATTN_TYPE_ENABLED,
    };
    params.swa_full = config.swa_full;
    params.offload_kqv = !cpu_only;
    params.op_offload = !cpu_only;
    params.no_perf = true;
    params.cb_eval = Some(observer::see);
    params.cb_eval_user_data = observer;
    params
}

fn kv_type(kind: KvType) -> sys::ggml_type {
    match kind {
        KvType::F32 => sys::GGML_TYPE_F32,
        KvType::F16 => sys::GGML_TYPE_F16,
        KvType::Q8_0 => sys::GGML_TYPE_Q8_0,
        KvType::Q4_0 => sys::GGML_TYPE_Q4_0,
    }
}
