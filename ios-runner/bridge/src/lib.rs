//! The probe as three C functions, for a place where no child process can be started: a phone.
//!
//! One frame in, one frame out, as [`wire`] has them. This room turns pointers into frames and back, and keeps
//! panics from crossing the border. It must never look into a request or an answer, and has no opinion.
//! `include/conformance.h` says the same in C.

mod abi;
mod frame;
mod options;
#[cfg(feature = "llama")]
mod probed;
mod session;
mod subject;
#[cfg(not(feature = "llama"))]
mod unbuilt;

pub use abi::{Frame, conformance_close, conformance_observe, conformance_open};
pub use options::{Devices, Options};
pub use session::Session;
pub use subject::{Make, Subject};
