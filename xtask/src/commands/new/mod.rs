//! `cargo xtask new`: things to begin with.

mod case;
mod run;

pub(super) use run::run;
