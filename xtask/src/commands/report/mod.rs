//! `cargo xtask report`: what can be done with reports after their runs.

mod merge;
mod run;

pub(super) use run::run;
