//! Golden snapshots: what a case's answer was when a person last agreed with it.
//!
//! The only room that writes goldens. What a run sees it writes as pending (`*.snap.new`); what makes a pending one an
//! accepted one is a person, by `cargo xtask review` or `cargo insta review`. It stores; whether an answer agrees is for [`crate::check`] to say.

mod format;
mod pending;
mod snapshot;
mod store;

pub use pending::Pending;
pub use snapshot::Golden;
pub use store::{GoldenError, GoldenStore, MAKER};
