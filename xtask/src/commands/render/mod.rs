//! `cargo xtask render`: what a model really gets.

mod all;
mod batch;
mod run;

pub(super) use run::run;
