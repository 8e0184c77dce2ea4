//! llama.cpp by its C interface, with ownership types of our own: every return code is seen.
//!
//! Each unsafe block says why it is sound. What all of them rest on: a [`model::RawModel`] frees its model when the
//! last one drops it, a [`context::RawContext`] holds its model, and both stay on the thread that made them.

#[cfg(feature = "dynamic")]
mod backends;
mod batch;
mod breakdown;
mod bridge;
mod context;
mod description;
mod drawn;
mod engine;
mod init;
#[cfg(feature = "jinja")]
pub(crate) mod jinja;
mod log;
mod model;
mod nodes;
mod observer;
mod params;
mod template;
mod tensor;
mod text;
mod vocab;
mod watcher;

pub(crate) use description::{cpu_features, devices, llama_version};
pub(crate) use engine::RawEngine;
pub(crate) use init::init;
