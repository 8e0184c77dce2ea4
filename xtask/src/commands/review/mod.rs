//! `cargo xtask review`: a person agrees with new goldens, or doesn't.

mod ask;
mod choice;
mod run;
mod unreferenced;

pub(super) use run::run;
