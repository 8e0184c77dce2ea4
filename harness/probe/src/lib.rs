//! One request on real llama.cpp, one observation back.
//!
//! This room runs models and says what was seen. It has no opinion: it must never see a check, a golden or another
//! subject's answer, and never say pass or fail. llama.cpp is called in `engine::raw` (every measurement goes
//! through it) and by way of llama-cpp-2 in `engine::safe`; without the feature `llama` both are left out and the
//! wrapper can be tested in seconds.
#![cfg_attr(
    all(not(feature = "llama"), not(test)),
    expect(dead_code, reason = "without llama.cpp only tests call the wrapper")
)]

#[cfg(feature = "llama")]
mod card;
mod engine;
mod fault;
mod log;
mod os;
mod refuse;
mod serve;
mod stopwatch;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod worker;
mod wrapper;

#[cfg(feature = "llama")]
pub use card::{BACKEND, card};
#[cfg(feature = "llama")]
pub use engine::engines;
pub use engine::{BuiltinChat, Context, Engine, Model, Outputs};
pub use fault::{Fault, FaultyOutput, FaultyProbe};
pub use os::{exit_now, no_backtraces, no_core_dumps, take_stdout};
pub use serve::{ServeError, serve};
pub use worker::{Observe, Probe};
