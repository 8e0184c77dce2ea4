//! Every engine that a backend has.

#[cfg(feature = "safe")]
use super::safe::SafeEngine;
use super::{Engine, raw, raw::RawEngine};

/// Whether a backend of this name stands for the processor alone, whatever else is registered.
pub(crate) fn cpu_only(backend: &str) -> bool {
    backend.starts_with("cpu")
}

/// The engines of a probe whose backend is called `backend`.
pub fn engines(backend: &str) -> Vec<Box<dyn Engine>> {
    raw::init();
    let cpu_only = cpu_only(backend);
    vec![
        Box::new(RawEngine::new(cpu_only)),
        #[cfg(feature = "safe")]
        Box::new(SafeEngine::new(cpu_only)),
    ]
}
