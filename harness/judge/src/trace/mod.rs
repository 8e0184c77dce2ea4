//! Which node of the graph is wrong.
//!
//! The same request is put to two subjects that show what each node of a graph computed. The nodes are paired by name,
//! and the first one is named whose result differs by more than what its inputs explain. Pure but for the asking, which
//! the caller does: this room must never start a subject, and never change what a verdict says.

mod bounds;
mod command;
mod divergence;
mod error;
mod pairs;
mod parameters;
mod report;
mod suspect;
mod switches;
mod text;
mod tracer;
mod walk;
mod worst;

pub use bounds::{Bound, bounds};
pub use command::command;
pub use divergence::{Divergence, divergence};
pub use pairs::{Pair, Pairs, pairs};
pub use report::{TraceOutcome, TraceReport, Traced};
pub use suspect::{Cause, Suspect, TracedInput};
pub use switches::switches;
pub use tracer::{Question, Side, TraceError, trace};
pub use walk::{Given, Step, Walk, walk};
pub use worst::WorstValue;
