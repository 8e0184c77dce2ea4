//! Will a model load and chat on a device, before the phone is asked?
//!
//! What devices allow is data (`device/devices.json`), what a model needs is the gguf crate's arithmetic, and rules
//! compare the two: each is a pure function with a code, numbers and a cure. This room must never run a model, start a
//! program, or read more of a file than its header and its entitlements.
#![forbid(unsafe_code)]

mod architecture;
pub mod device;
pub mod entitlements;
mod need;
mod options;
mod report;
mod rule;
mod size;

pub use need::{Compute, Need};
pub use options::Options;
pub use report::{Check, Conversation, Outcome, Report, Streaming};
pub use rule::{Code, Finding, Severity};
