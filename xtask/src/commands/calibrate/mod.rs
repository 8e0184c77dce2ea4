//! `cargo xtask calibrate`: where each tolerance lies between noise and faults.

mod measure;
mod text;

pub(super) use measure::run;
