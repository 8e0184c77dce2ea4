//! What a model takes up, from its file's header alone: weights by type, what the cache and states of a context
//! allocate, what one token touches.
//!
//! The arithmetic is llama.cpp's own, to the byte, as b11434 has it: `llama_model_base::load_hparams`, each
//! architecture's `load_arch_hparams`, `llama_model::create_memory` and the constructors of the memory types. A test
//! against a probe compares them. This room must never read a weight, and never trust a number in a file: what
//! overflows is an error.

mod architecture;
mod cache;
mod context;
mod experts;
mod indexer;
mod keys;
mod memory_error;
mod model;
mod shape;
mod states;
mod traffic;
mod usage;
mod weights;
mod window;

pub use cache::{Cache, CacheKind};
pub use context::ContextParams;
pub use experts::Experts;
pub use memory_error::MemoryError;
pub use model::{ModelFiles, ModelFilesError};
pub use shape::Shape;
pub use traffic::Traffic;
pub use usage::Usage;
pub use weights::{TypeShare, Weights};
