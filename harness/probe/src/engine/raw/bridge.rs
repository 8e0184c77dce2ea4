//! What differs between the versions of llama.cpp that a probe can be built against. `build.rs` reads the headers.

use llama_cpp_sys_2 as sys;
use wire::LoadMode;

/// How the file is read. One enumeration took the place of three switches between b10054 and b10156.
#[cfg(llama_has_load_mode)]
pub(super) const fn set_mode(params: &mut sys::llama_model_params, mode: LoadMode) {
    params.load_mode = match mode {
        LoadMode::None => sys::LLAMA_LOAD_MODE_NONE,
        LoadMode::Mmap => sys::LLAMA_LOAD_MODE_MMAP,
    };
}

/// How the file is read.
#[cfg(not(llama_has_load_mode))]
pub(super) const fn set_mode(params: &mut sys::llama_model_params, mode: LoadMode) {
    params.use_mmap = matches!(mode, LoadMode::Mmap);
    params.use_direct_io = false;
    params.use_mlock = false;
}

/// Whether sizes are reckoned and nothing is allocated. What is reckoned is the same for mapped files.
#[cfg(llama_has_no_alloc)]
pub(super) const fn set_no_alloc(params: &mut sys::llama_model_params, no_alloc: bool) {
    params.no_alloc = no_alloc;
    if no_alloc {
        set_mode(params, LoadMode::None);
    }
}

/// Older versions allocate.
#[cfg(not(llama_has_no_alloc))]
pub(super) const fn set_no_alloc(_params: &mut sys::llama_model_params, _no_alloc: bool) {}

/// llama.cpp's own version.
#[cfg(llama_has_version)]
pub(super) fn version() -> String {
    // SAFETY: the string is static.
    unsafe { super::text::owned(sys::llama_version()) }
}

/// The name of the checkout: older versions do not say which they are.
#[cfg(not(llama_has_version))]
pub(super) fn version() -> String {
    env!("PROBE_LLAMA_SRC").to_owned()
}
