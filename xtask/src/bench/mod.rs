//! Figures of the suite: how long it takes, what of that is not llama.cpp's own work, how much memory judging
//! takes; and how long llama.cpp's own tools take for the same work.

mod figures;
mod peers;
mod preflight;
pub(crate) mod prompts;
mod report;
mod spread;

pub(crate) use figures::Figures;
pub(crate) use peers::{BaseFile, Comparison, Pair, Scoring, Sweep, row_names};
pub(crate) use preflight::{Preflight, peak_line, peak_of};
pub(crate) use report::Report;
pub(crate) use spread::Spread;
