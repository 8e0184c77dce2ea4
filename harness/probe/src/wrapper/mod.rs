//! The reference wrapper: what turns llama.cpp into a chat.
//!
//! Template to prompt, prompt to tokens, the greedy loop, stops, the thinking split, memory between turns. It is
//! itself under test, so it stays small and names every decision. It must never know what answer is expected.

mod answer;
mod converse;
mod forced;
mod generate;
mod loaded;
mod record;
mod render;
mod score;
mod sequence;
mod stream;
mod tokens;

pub(crate) use converse::converse;
pub(crate) use forced::Forced;
pub(crate) use generate::generate;
pub(crate) use loaded::Loaded;
pub(crate) use record::record;
pub(crate) use render::{TemplateSource, render};
pub(crate) use score::score;
pub(crate) use stream::stream;
pub(crate) use tokens::{note, prepare, tokenize};
