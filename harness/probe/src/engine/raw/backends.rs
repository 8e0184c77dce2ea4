//! ggml's backends as libraries: loaded from the program's own folder, so that a probe can be carried to a machine
//! where only its backend was built.

use std::ffi::CString;
use std::path::Path;

use llama_cpp_sys_2 as sys;

/// Where this build's own backends were installed.
const BUILT: &str = env!("PROBE_BACKENDS");

/// Loads what lies beside the program; where that holds no CPU backend, without which llama.cpp can do nothing, also
/// what the build installed.
pub(super) fn load() {
    if let Some(folder) = std::env::current_exe().ok().as_deref().and_then(Path::parent) {
        load_from(folder);
    }
    if !has_cpu() {
        load_from(Path::new(BUILT));
    }
}

fn has_cpu() -> bool {
    // SAFETY: reads ggml's registry; any type is a valid argument.
    let device = unsafe { sys::ggml_backend_dev_by_type(sys::GGML_BACKEND_DEVICE_TYPE_CPU) };
    !device.is_null()
}

/// Loads every backend in `folder`. A folder without any is fine: ggml logs what it tried.
fn load_from(folder: &Path) {
    let Ok(folder) = CString::new(folder.as_os_str().as_encoded_bytes()) else { return };
    // SAFETY: a path that ends in NUL and outlives the call.
    unsafe { sys::ggml_backend_load_all_from_path(folder.as_ptr()) };
}
