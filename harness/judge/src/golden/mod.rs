//! Golden snapshots: what a case's answer was when a person last agreed with it.
//!
//! The only room that writes goldens, and it writes pending ones only (`*.snap.new`), which `cargo insta review`
//! turns into accepted ones. It stores; whether an answer agrees is for [`crate::check`] to say.

mod format;
mod snapshot;
mod store;

pub use snapshot::Golden;
pub use store::{GoldenError, GoldenStore, MAKER};
