//! What `ci` runs: the steps as data, and the counting of tests.

mod steps;
mod tally;

pub(crate) use steps::{Action, Step, steps};
pub(crate) use tally::Tally;
