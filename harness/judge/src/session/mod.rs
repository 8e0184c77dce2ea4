//! Asking and judging items, one by one or all of a plan.
//!
//! [`Session`] holds what both front ends share: `cargo xtask test`, which runs a whole plan through [`run`], and
//! the root package's test target, which asks for one verdict a trial. Answers come from running subjects or from a
//! recording; nothing else here knows the difference.

mod answer;
mod event;
mod judged;
mod live;
mod recorder;
mod replay;
mod run;
#[expect(clippy::module_inception, reason = "the room and its central type share the field's word")]
mod session;
mod shown;
mod source;

pub use answer::Answer;
pub use event::{Event, Listener};
pub use recorder::Recorder;
pub use run::{RunOptions, Summary, run};
pub use session::{Session, SessionOptions, Tracer};
