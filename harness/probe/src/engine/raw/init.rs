//! Once per process: the log callback and llama.cpp's own tables.

use std::sync::Once;

use llama_cpp_sys_2 as sys;

use super::log;

/// Prepares llama.cpp; does nothing the second time.
pub(crate) fn init() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        log::capture();
        // SAFETY: called once, before anything else of llama.cpp but the log.
        unsafe { sys::llama_backend_init() };
        #[cfg(feature = "dynamic")]
        super::backends::load();
    });
}
