//! What was built: subject.json beside each probe, written by `cargo xtask build` and read by whoever runs cases.
//!
//! This room reads and writes that file and says whether it still tells the truth. It never builds.

mod digest;
mod error;
mod subject_file;

pub use digest::sha256_of_file;
pub use error::BuiltError;
pub use subject_file::{LaunchFile, SubjectFile};
