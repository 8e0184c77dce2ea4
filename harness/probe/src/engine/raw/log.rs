//! llama.cpp's log, into the ring and to standard error.

use std::{
    ffi::{CStr, c_char, c_void},
    io::Write,
    ptr,
};

use llama_cpp_sys_2 as sys;

use crate::log::{self, Level};

/// Sends what llama.cpp and ggml log to [`crate::log`].
pub(super) fn capture() {
    // SAFETY: the callback is a function without state, valid for the life of the process.
    unsafe { sys::llama_log_set(Some(callback), ptr::null_mut()) };
}

unsafe extern "C" fn callback(level: sys::ggml_log_level, text: *const c_char, _: *mut c_void) {
    // SAFETY: ggml passes a C string that lives until the callback returns.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    let level = match level {
        sys::GGML_LOG_LEVEL_CONT => None,
        sys::GGML_LOG_LEVEL_DEBUG => Some(Level::Debug),
        sys::GGML_LOG_LEVEL_WARN => Some(Level::Warn),
        sys::GGML_LOG_LEVEL_ERROR => Some(Level::Error),
        _ => Some(Level::Info),
    };
    if log::push(level, &text) {
        // Standard error may be closed; the log is in the ring all the same.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}
