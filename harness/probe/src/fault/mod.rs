//! Faults: a probe that is broken in one known way, to prove that the harness sees it and blames the right layer.
//!
//! Every fault is real: llama.cpp is really called wrongly, a damaged file is really loaded, the process really
//! dies. Each sits as a decorator around a sound part (engine, model, context, probe, output), so that a probe
//! without a fault runs none of this room's code. A fault must never know what a case expects.

mod context;
mod damage;
mod disturbance;
mod engine;
mod kind;
mod logits;
mod memory;
mod meter;
mod model;
mod output;
mod prompt;
mod request;
mod subject;
mod text;

pub use kind::Fault;
pub use output::FaultyOutput;
pub use subject::FaultyProbe;
