//! What a model really gets: a template and a conversation to the prompts of several engines.
//!
//! Templates come from model files that anybody can upload, so they are rendered in a process of their own, under
//! limits: [`Sandbox`] for the minijinja engine, the probe for llama.cpp's. This room reads files and starts those
//! processes; what the renderings mean is the crate `rendering`'s.

mod child;
mod engines;
mod sandbox;
mod source;
mod tokens;

pub(crate) use child::serve;
pub(crate) use engines::{Engines, Made};
pub(crate) use sandbox::Sandbox;
pub(crate) use source::{Source, conversation, read_text};
pub(crate) use tokens::{Tokens, TokensJson};
