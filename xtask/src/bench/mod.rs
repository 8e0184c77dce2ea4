//! Figures of the suite: how long it takes, what of that is not llama.cpp's own work, how much memory judging
//! takes.

mod figures;
mod report;

pub(crate) use figures::Figures;
pub(crate) use report::Report;
