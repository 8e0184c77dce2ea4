//! Known failures: what is expected to fail, where, with which finding, and why that is so.
//!
//! A pure function from a record and the list to an outcome. A known failure matches by finding, never by the
//! case's name alone: a case that starts to fail for another reason fails.

mod apply;
mod entry;
mod list;

pub use apply::{Applied, apply};
pub use entry::{Builds, KnownFailure, Stance, SubjectMatch};
pub use list::{KnownError, KnownFailures};
