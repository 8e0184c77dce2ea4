//! `cargo xtask bench`: figures of the suite, or how it compares with llama.cpp's own tools.

mod peers;
mod run;
mod suite;

pub(super) use run::run;
