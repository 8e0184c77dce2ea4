//! Models made from metadata alone, with weights that are drawn here.

use std::{
    collections::HashSet,
    ffi::{CStr, c_void},
    ptr::{self, NonNull},
};

use llama_cpp_sys_2 as sys;
use tempfile::NamedTempFile;
use wire::{Layer, Refusal, RefusalCode};

use super::{
    tensor,
    text::{c_string, owned},
};
use crate::refuse::refuse;

/// The tensors of a model that was drawn, in the order in which llama.cpp asked for their numbers.
type Tensors = Vec<*mut sys::ggml_tensor>;

/// Metadata, freed on drop.
struct Metadata(NonNull<sys::gguf_context>);

impl Metadata {
    fn read(path: &CStr) -> Result<Self, Refusal> {
        let params = sys::gguf_init_params { no_alloc: true, ctx: ptr::null_mut() };
        // SAFETY: the path is a C string.
        let context = unsafe { sys::gguf_init_from_file(path.as_ptr(), params) };
        NonNull::new(context).map(Self).ok_or_else(|| failed("its metadata cannot be read"))
    }

    fn empty() -> Result<Self, Refusal> {
        // SAFETY: it takes nothing.
        let context = unsafe { sys::gguf_init_empty() };
        NonNull::new(context).map(Self).ok_or_else(|| failed("no memory for metadata"))
    }
}

impl Drop for Metadata {
    fn drop(&mut self) {
        // SAFETY: this is the only owner.
        unsafe { sys::gguf_free(self.0.as_ptr()) };
    }
}

/// Makes the model that the metadata at `path` describe; null where llama.cpp cannot.
///
/// # Safety
/// The device list that `params` point to lives.
pub(super) unsafe fn draw(
    path: &CStr,
    params: sys::llama_model_params,
) -> Result<*mut sys::llama_model, Refusal> {
    // SAFETY: as the caller says.
    unsafe { drawn(&Metadata::read(path)?, &mut Tensors::new(), params) }
}

/// As [`draw`]; the model is written to a file, and that is loaded.
///
/// # Safety
/// As for [`draw`].
pub(super) unsafe fn draw_and_save(
    path: &CStr,
    params: sys::llama_model_params,
) -> Result<*mut sys::llama_model, Refusal> {
    let (metadata, mut tensors) = (Metadata::read(path)?, Tensors::new());
    // SAFETY: as the caller says.
    let model = unsafe { drawn(&metadata, &mut tensors, params)? };
    if model.is_null() {
        return Ok(model);
    }
    let saved = save(&metadata, &tensors);
    // SAFETY: nobody else has the model.
    unsafe { sys::llama_model_free(model) };
    let (_file, path) = saved?;
    // SAFETY: as the caller says; whoever maps the file keeps it when it is removed.
    Ok(unsafe { sys::llama_model_load_from_file(path.as_ptr(), params) })
}

/// # Safety
/// As for [`draw`].
unsafe fn drawn(
    metadata: &Metadata,
    tensors: &mut Tensors,
    params: sys::llama_model_params,
) -> Result<*mut sys::llama_model, Refusal> {
    // SAFETY: the metadata live during the call, and so does the list that the callback fills.
    Ok(unsafe {
        sys::llama_model_init_from_user(
            metadata.0.as_ptr(),
            Some(fill),
            (&raw mut *tensors).cast::<c_void>(),
            params,
        )
    })
}

fn save(metadata: &Metadata, tensors: &Tensors) -> Result<(NamedTempFile, std::ffi::CString), Refusal> {
    let file = tempfile::Builder::new().prefix("drawn-").suffix(".gguf").tempfile();
    let file = file.map_err(|error| failed(&format!("no temporary file: {error}")))?;
    let path = c_string(Layer::Load, &file.path().to_string_lossy())?;
    let (whole, mut names) = (Metadata::empty()?, HashSet::new());
    // SAFETY: both contexts live, and so do the tensors, with their model.
    let written = unsafe {
        sys::gguf_set_kv(whole.0.as_ptr(), metadata.0.as_ptr());
        for &tensor in tensors {
            // An output that is tied to the embedding comes twice.
            if names.insert(owned((*tensor).name.as_ptr())) {
                sys::gguf_add_tensor(whole.0.as_ptr(), tensor);
            }
        }
        sys::gguf_write_to_file(whole.0.as_ptr(), path.as_ptr(), false)
    };
    if written { Ok((file, path)) } else { Err(failed("the drawn model cannot be written")) }
}

/// Gives a tensor its numbers, and notes it.
unsafe extern "C" fn fill(drawn: *mut sys::ggml_tensor, tensors: *mut c_void) {
    // SAFETY: the pointer is that of `drawn`'s list, and llama.cpp passes tensors of the model.
    unsafe {
        if (*drawn).buffer.is_null() {
            // Declared, and needed by no operator.
            return;
        }
        (*tensors.cast::<Tensors>()).push(drawn);
        let (name, _) = tensor::words(drawn);
        let count = sys::ggml_nelements(drawn).max(0).cast_unsigned() as usize;
        let row = (*drawn).ne[0].max(1) as f32;
        if (*drawn).type_ == sys::GGML_TYPE_F32 {
            let values = draws(&name, count, row);
            sys::ggml_backend_tensor_set(drawn, values.as_ptr().cast::<c_void>(), 0, count * 4);
        } else {
            let zeros = vec![0_u8; sys::ggml_nbytes(drawn)];
            sys::ggml_backend_tensor_set(drawn, zeros.as_ptr().cast::<c_void>(), 0, zeros.len());
        }
    }
}

/// The numbers of the tensor called `name`, whose rows have `row` of them: such that activations neither die away nor
/// grow, and that recurrent states decay.
fn draws(name: &str, count: usize, row: f32) -> Vec<f32> {
    // FNV-1a.
    let seed = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let vector = count as f32 <= row;
    let (middle, width) = match name {
        _ if name.ends_with("ssm_a") => (-1.5, 1.0),
        _ if name.contains("norm") || name.contains("rope_f") || name.contains("scale") => (1.0, 0.2),
        _ if name.contains("token_embd") || name.contains("position_embd") => (0.0, 1.7),
        _ if vector || name.ends_with(".bias") => (0.0, 0.2),
        _ => (0.0, (3.0 / row).sqrt()),
    };
    (0..count as u64).map(|index| middle + width * uniform(seed.wrapping_add(index))).collect()
}

/// A number between −1 and 1: the finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
fn uniform(seed: u64) -> f32 {
    let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 40) as f32 / (1 << 23) as f32 - 1.0
}

fn failed(message: &str) -> Refusal {
    refuse(Layer::Load, RefusalCode::LoadFailed, format!("the model cannot be drawn: {message}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_the_same_for_the_same_name_and_keep_their_size() {
        let weights = draws("blk.0.attn_q.weight", 64 * 64, 64.0);
        assert_eq!(weights, draws("blk.0.attn_q.weight", 64 * 64, 64.0));
        assert_ne!(weights, draws("blk.1.attn_q.weight", 64 * 64, 64.0));
        let square: f32 = weights.iter().map(|weight| weight * weight).sum::<f32>() / 64.0;
        assert!((0.8..1.2).contains(&square), "{square}");
        assert!(draws("blk.0.ssm_a", 9, 9.0).iter().all(|decay| *decay < 0.0));
        assert!(draws("blk.0.attn_norm.weight", 9, 9.0).iter().all(|scale| *scale > 0.0));
    }
}
