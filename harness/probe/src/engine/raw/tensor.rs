//! Reading tensors of a graph that is being computed.

use std::ffi::c_void;

use llama_cpp_sys_2 as sys;
use wire::{BlockSums, Digest, Digester, MAX_VALUES, TensorData, TensorName, Values};

use super::text::owned;

/// Values that are read at once; a multiple of every block of ggml's types.
const PIECE: usize = 1 << 16;

/// Whether a node computes anything: not where it only looks at another tensor in another way.
///
/// # Safety
/// `tensor` lives.
pub(super) unsafe fn computes(tensor: *const sys::ggml_tensor) -> bool {
    const NO_WORK: [sys::ggml_op; 5] = [
        sys::GGML_OP_NONE,
        sys::GGML_OP_VIEW,
        sys::GGML_OP_RESHAPE,
        sys::GGML_OP_PERMUTE,
        sys::GGML_OP_TRANSPOSE,
    ];
    // SAFETY: as the caller says.
    !NO_WORK.contains(&unsafe { (*tensor).op })
}

/// Whether this graph needs a node: llama.cpp builds one graph for several kinds of input, and marks what to compute.
///
/// # Safety
/// `tensor` lives.
pub(super) unsafe fn is_used(tensor: *const sys::ggml_tensor) -> bool {
    // SAFETY: as the caller says.
    unsafe { (*tensor).flags.cast_unsigned() & sys::GGML_TENSOR_FLAG_COMPUTE != 0 }
}

/// The tensor whose memory `tensor` uses: itself, or the end of a chain of views.
///
/// # Safety
/// `tensor` lives, and with it what it is a view of.
pub(super) unsafe fn root(tensor: *const sys::ggml_tensor) -> *const sys::ggml_tensor {
    let mut holder = tensor;
    // SAFETY: as the caller says.
    unsafe {
        while !(*holder).view_src.is_null() {
            holder = (*holder).view_src;
        }
    }
    holder
}

/// The type of the buffer that holds `tensor`; `None` where it has none.
///
/// # Safety
/// As for [`root`].
pub(super) unsafe fn buffer_type(tensor: *const sys::ggml_tensor) -> Option<sys::ggml_backend_buffer_type_t> {
    // SAFETY: as the caller says; a buffer that is not null lives as long as what it holds.
    unsafe {
        let buffer = (*root(tensor)).buffer;
        (!buffer.is_null()).then(|| sys::ggml_backend_buffer_get_type(buffer))
    }
}

/// Whether `tensor` is a weight of the model.
///
/// # Safety
/// As for [`root`].
pub(super) unsafe fn is_weight(tensor: *const sys::ggml_tensor) -> bool {
    // SAFETY: as in `buffer_type`.
    unsafe {
        let buffer = (*root(tensor)).buffer;
        !buffer.is_null()
            && sys::ggml_backend_buffer_get_usage(buffer) == sys::GGML_BACKEND_BUFFER_USAGE_WEIGHTS
    }
}

/// Name and operator of `tensor`, as ggml calls them.
///
/// # Safety
/// `tensor` lives.
pub(super) unsafe fn words(tensor: *const sys::ggml_tensor) -> (String, String) {
    // SAFETY: as the caller says; the name ends with a NUL, the operator's name is static.
    unsafe { (owned((*tensor).name.as_ptr()), owned(sys::ggml_op_name((*tensor).op))) }
}

/// ggml's name of the element type of `tensor`.
///
/// # Safety
/// `tensor` lives.
pub(super) unsafe fn kind(tensor: *const sys::ggml_tensor) -> String {
    // SAFETY: as the caller says; the type's name is static.
    unsafe { owned(sys::ggml_type_name((*tensor).type_)) }
}

/// A digest of what `tensor` holds; `None` where that cannot be read.
///
/// # Safety
/// `tensor` lives and is computed.
pub(super) unsafe fn digest(tensor: *const sys::ggml_tensor) -> Option<Digest> {
    let mut digester = Digester::default();
    // SAFETY: as the caller says.
    unsafe { read(tensor, |values| digester.add(values)) }.then(|| digester.finish())
}

/// The numbers of `tensor` from index `from` on, under `name`; `None` where they cannot be read.
///
/// # Safety
/// `tensor` lives and is computed.
pub(super) unsafe fn data(
    tensor: *const sys::ggml_tensor,
    name: TensorName,
    from: u64,
) -> Option<TensorData> {
    // SAFETY: as the caller says.
    let count = unsafe { sys::ggml_nelements(tensor) }.max(0).cast_unsigned();
    let (mut digester, mut blocks) = (Digester::default(), BlockSums::new(count));
    let (mut values, mut next) = (Vec::new(), 0_u64);
    let keep = |piece: &[f32]| {
        digester.add(piece);
        blocks.add(piece);
        let skipped = from.saturating_sub(next).min(piece.len() as u64) as usize;
        let room = MAX_VALUES - values.len();
        values.extend(piece[skipped..].iter().take(room));
        next += piece.len() as u64;
    };
    // SAFETY: as the caller says.
    unsafe { read(tensor, keep) }.then(|| TensorData {
        tensor: name,
        digest: digester.finish(),
        count,
        blocks: blocks.finish(),
        from: from.min(count),
        values: Values(values),
    })
}

/// Gives the values of `tensor` to `take`, piece by piece, in the order of its indices. False, and nothing given,
/// where they cannot be read: in a buffer of the CPU that is not plain memory, weights are repacked, and ggml has no
/// way back.
///
/// # Safety
/// `tensor` lives and is computed.
unsafe fn read(tensor: *const sys::ggml_tensor, mut take: impl FnMut(&[f32])) -> bool {
    // SAFETY: as the caller says.
    unsafe {
        let size = sys::ggml_type_size((*tensor).type_);
        if !is_readable(tensor) || (*tensor).nb[0] != size {
            return false;
        }
        let [row, rows1, rows2, rows3] = (*tensor).ne.map(|extent| extent.max(0).cast_unsigned() as usize);
        if sys::ggml_is_contiguous(tensor) {
            read_row(tensor, 0, row * rows1 * rows2 * rows3, &mut take);
            return true;
        }
        let nb = (*tensor).nb;
        for index in 0..rows1 * rows2 * rows3 {
            let (i1, i2, i3) = (index % rows1, index / rows1 % rows2, index / rows1 / rows2);
            read_row(tensor, i1 * nb[1] + i2 * nb[2] + i3 * nb[3], row, &mut take);
        }
        true
    }
}

/// # Safety
/// As for [`root`].
unsafe fn is_readable(tensor: *const sys::ggml_tensor) -> bool {
    // SAFETY: as the caller says; types and devices live as long as the registry.
    unsafe {
        let Some(buffer_type) = buffer_type(tensor) else { return false };
        let device = sys::ggml_backend_buft_get_device(buffer_type);
        let is_cpu =
            device.is_null() || sys::ggml_backend_dev_type(device) == sys::GGML_BACKEND_DEVICE_TYPE_CPU;
        !is_cpu || sys::ggml_backend_buft_is_host(buffer_type)
    }
}

/// `count` values that lie one after the other from byte `offset` on.
///
/// # Safety
/// As for [`read`], and they lie inside.
unsafe fn read_row(
    tensor: *const sys::ggml_tensor,
    offset: usize,
    count: usize,
    take: &mut impl FnMut(&[f32]),
) {
    // SAFETY: as the caller says; a row is made of whole blocks.
    unsafe {
        let (kind, size) = ((*tensor).type_, sys::ggml_type_size((*tensor).type_));
        let block = sys::ggml_blck_size(kind).max(1).cast_unsigned() as usize;
        let mut bytes = Vec::new();
        for start in (0..count).step_by(PIECE) {
            let values = PIECE.min(count - start);
            bytes.resize(values / block * size, 0_u8);
            let at = offset + start / block * size;
            sys::ggml_backend_tensor_get(tensor, bytes.as_mut_ptr().cast(), at, bytes.len());
            take(&floats(kind, &bytes, values));
        }
    }
}

/// `count` values of a type as f32.
///
/// # Safety
/// `bytes` hold `count` values of the type `kind`.
unsafe fn floats(kind: sys::ggml_type, bytes: &[u8], count: usize) -> Vec<f32> {
    fn each<const N: usize>(bytes: &[u8], convert: impl Fn([u8; N]) -> f32) -> Vec<f32> {
        bytes.as_chunks::<N>().0.iter().map(|chunk| convert(*chunk)).collect()
    }
    match kind {
        sys::GGML_TYPE_F32 => each(bytes, f32::from_ne_bytes),
        sys::GGML_TYPE_F64 => each(bytes, |chunk| f64::from_ne_bytes(chunk) as f32),
        sys::GGML_TYPE_I8 => each(bytes, |chunk| f32::from(i8::from_ne_bytes(chunk))),
        sys::GGML_TYPE_I16 => each(bytes, |chunk| f32::from(i16::from_ne_bytes(chunk))),
        sys::GGML_TYPE_I32 => each(bytes, |chunk| i32::from_ne_bytes(chunk) as f32),
        sys::GGML_TYPE_I64 => each(bytes, |chunk| i64::from_ne_bytes(chunk) as f32),
        _ => {
            let mut values = vec![0.0; count];
            // SAFETY: every other type has a conversion, which reads `count` values and writes as many.
            unsafe {
                if let Some(convert) = (*sys::ggml_get_type_traits(kind)).to_float {
                    convert(bytes.as_ptr().cast::<c_void>(), values.as_mut_ptr(), count as i64);
                }
            }
            values
        }
    }
}
