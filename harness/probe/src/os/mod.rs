//! The few things asked of the operating system: standard streams, limits, a hard exit.
//!
//! With llama.cpp's room (`engine::raw`) the only place with unsafe code.

mod address_space;
mod balloon;
mod error;
mod forbidden;
mod process;
#[cfg(feature = "llama")]
mod system;

pub(crate) use address_space::AddressSpace;
pub(crate) use balloon::Balloon;
pub(crate) use error::OsError;
pub(crate) use forbidden::read_forbidden_page;
pub use process::{exit_now, no_backtraces, no_core_dumps, take_stdout};
#[cfg(feature = "llama")]
pub(crate) use system::system_version;
