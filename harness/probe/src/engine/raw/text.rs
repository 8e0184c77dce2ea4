//! Strings across the border to C.

use std::ffi::{CStr, CString, c_char};

use wire::{Layer, Refusal};

use crate::refuse::bad_request;

/// A copy of a C string; empty for null.
///
/// # Safety
/// `text` is null or a C string that lives during the call.
pub(super) unsafe fn owned(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: not null, and the caller says that it is a C string.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// A C string for llama.cpp, which would cut the text at a NUL.
pub(super) fn c_string(layer: Layer, text: &str) -> Result<CString, Refusal> {
    CString::new(text)
        .map_err(|_| bad_request(layer, "a NUL character cannot be given to llama.cpp; remove it"))
}

/// A string from one of llama.cpp's functions that fill a buffer and return the length that they need, negative
/// where there is nothing.
pub(super) fn filled(fill: impl Fn(*mut c_char, usize) -> i32) -> Option<String> {
    let mut buffer = vec![0_u8; 256];
    let mut length = usize::try_from(fill(buffer.as_mut_ptr().cast(), buffer.len())).ok()?;
    if length >= buffer.len() {
        buffer.resize(length + 1, 0);
        length = usize::try_from(fill(buffer.as_mut_ptr().cast(), buffer.len())).ok()?;
    }
    buffer.truncate(length);
    Some(String::from_utf8_lossy(&buffer).into_owned())
}
