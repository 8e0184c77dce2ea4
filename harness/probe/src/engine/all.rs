//! Every engine that a backend has.

#[cfg(feature = "safe")]
use super::safe::SafeEngine;
use super::{Engine, raw, raw::RawEngine};

/// The engines of a probe whose backend is called `backend`. The rows whose names begin with `cpu` stand for the
/// processor alone, whatever else is registered.
pub fn engines(backend: &str) -> Vec<Box<dyn Engine>> {
    raw::init();
    let cpu_only = backend.starts_with("cpu");
    vec![
        Box::new(RawEngine::new(cpu_only)),
        #[cfg(feature = "safe")]
        Box::new(SafeEngine::new(cpu_only)),
    ]
}
