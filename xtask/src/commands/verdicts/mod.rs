//! What `test` and `judge` have in common: a session and a plan become reports and an exit code.

mod interrupt;
mod outputs;
mod refused;
mod run;

pub(super) use outputs::{report, stages_goldens};
pub(super) use refused::refused;
pub(super) use run::{Reports, jobs, nothing, run_plan};
