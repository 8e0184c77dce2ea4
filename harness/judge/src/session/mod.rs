//! Asking and judging items, one by one or all of a plan.
//!
//! [`Session`] holds what both front ends share: `cargo xtask test`, which runs a whole plan through [`run`], and
//! the root package's test target, which asks for one verdict a trial.

mod event;
mod judged;
mod run;
#[expect(clippy::module_inception, reason = "the room and its central type share the field's word")]
mod session;

pub use event::{Event, Listener};
pub use run::{RunOptions, Summary, run};
pub use session::{Session, SessionOptions};
