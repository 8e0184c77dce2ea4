//! `cargo xtask device`: phones, and the app in the simulator.

mod ask;
mod build;
mod bundle;
mod doctor;
mod generate;
mod judge;
mod list;
mod place;
mod prove;
mod run;
mod sheet;
mod told;

pub(super) use prove::{Proof, prove};
pub(super) use run::run;
