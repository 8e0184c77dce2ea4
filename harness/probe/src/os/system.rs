//! Which operating system this is.

use std::ffi::{CStr, c_char};

/// Name and version of the kernel as `uname` says them, for example `Linux 6.1.0`.
pub(crate) fn system_version() -> String {
    // SAFETY: utsname consists of character arrays, for which zero is a value.
    let mut name: libc::utsname = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is to a live utsname of our own.
    if unsafe { libc::uname(&raw mut name) } != 0 {
        return std::env::consts::OS.to_owned();
    }
    format!("{} {}", text(&name.sysname), text(&name.release))
}

fn text(field: &[c_char]) -> String {
    let bytes: Vec<u8> = field.iter().map(|c| c.to_ne_bytes()[0]).collect();
    CStr::from_bytes_until_nul(&bytes).map(|text| text.to_string_lossy().into_owned()).unwrap_or_default()
}
