//! Figures of the suite: how long it takes, what of that is not llama.cpp's own work, how much memory judging
//! takes.

mod figures;
mod preflight;
pub(crate) mod prompts;
mod report;

pub(crate) use figures::Figures;
pub(crate) use preflight::{Preflight, peak_line, peak_of};
pub(crate) use report::Report;
