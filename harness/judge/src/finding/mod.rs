//! Findings: what was wrong, in stable words.
//!
//! A finding states a fact and the layer at which it shows. Which of several findings is the cause is for
//! [`crate::triage`] to say.

mod catalogue;
mod code;
#[expect(clippy::module_inception, reason = "the room and its central type share the field's word")]
mod finding;

pub use catalogue::{Entry, entry};
pub use code::Code;
pub use finding::Finding;
