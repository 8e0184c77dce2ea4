//! An engine that plays a script, for tests of the wrapper without llama.cpp.

mod context;
mod engine;
mod model;
mod vocab;

pub(crate) use engine::{Script, ScriptedEngine};
pub(crate) use vocab::{A, BOS, E, EOS, THINK, THOUGHT, id};
