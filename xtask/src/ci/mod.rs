//! What `ci` runs: the steps as data, the counting of tests, and the jobs of workflows.

mod matrix;
mod steps;
mod tally;
#[cfg(test)]
mod workflows;

pub(crate) use matrix::jobs;
pub(crate) use steps::{Action, BACKENDS, Step, steps};
pub(crate) use tally::Tally;
