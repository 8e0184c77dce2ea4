//! What `test` and `judge` have in common: a session and a plan become reports and an exit code.

mod inputs;
mod interrupt;
mod outputs;
mod refused;
mod run;

pub(super) use inputs::keep_inputs;
pub(super) use outputs::{Outputs, stages_goldens};
pub(super) use refused::refused;
pub(super) use run::{Reports, exit, jobs, nothing, run_plan};
