//! `cargo xtask test`: everything that a run needs, then the run.

mod input;
mod prepare;
mod run;
mod tracer;
mod watch;

pub(super) use prepare::run;
