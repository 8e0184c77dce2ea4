//! What runs a model: three small traits, and the rooms that implement them on llama.cpp.
//!
//! Nothing here may choose a token, render a chat or decide when to stop; that is the wrapper's part.

#[cfg(feature = "llama")]
mod all;
mod builtin;
mod context;
mod factory;
mod jinja;
mod model;
#[cfg(feature = "llama")]
pub(crate) mod raw;
#[cfg(feature = "safe")]
mod safe;

#[cfg(feature = "llama")]
pub(crate) use all::cpu_only;
#[cfg(feature = "llama")]
pub use all::engines;
pub use builtin::BuiltinChat;
pub use context::{Context, Outputs};
pub use factory::Engine;
pub(crate) use jinja::{JinjaChat, apply_jinja};
pub use model::Model;
