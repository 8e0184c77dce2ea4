//! Apple's tools as command lines: every function is pure, and `tests/argv.rs` reads them.

mod build;
mod command;
mod devicectl;
mod project;
mod results;
mod signing;
mod simctl;

pub use build::{Slice, build_slice, slices, xcframework};
pub use command::Argv;
pub use devicectl::{copy_from, copy_to, install, list_devices};
pub use project::{PROJECT, TestRun, build_for_testing, test_without_building};
pub use results::{export_attachments, summary};
pub use signing::{entitlements, profile};
pub use simctl::{app_container, install_in_simulator};
