//! `cargo xtask corpus`: real templates and vocabularies.

mod check;
mod run;

pub(in crate::commands) use check::check;
pub(in crate::commands) use run::fetch;
pub(super) use run::run;
