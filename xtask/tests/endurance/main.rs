//! Nothing takes a run down, and a run that is taken down leaves nothing behind: no half file, no orphan.
//!
//! The program runs in a project of its own. Most trials put this binary itself in the probe's place; those called
//! `real` use the probe that `cargo xtask build` made, and are ignored where there is none.
#![forbid(unsafe_code)]

mod alive;
mod broken;
mod fake;
mod interrupted;
mod killed;
mod log;
mod outputs;
mod real;
mod running;
mod stage;
#[path = "../support/mod.rs"]
mod support;
mod together;
mod watched;

use std::env;

use libtest_mimic::{Arguments, Trial};

fn main() {
    if let Ok(backend) = env::var(fake::ROLE) {
        return fake::play(&backend);
    }
    let trials = [
        broken::trials(),
        interrupted::trials(),
        killed::trials(),
        outputs::trials(),
        real::trials(),
        together::trials(),
        watched::trials(),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials.into_iter().flatten().collect()).exit();
}

/// A test that panics where it fails.
fn trial(room: &str, name: &str, run: fn()) -> Trial {
    Trial::test(format!("{room}::{name}"), move || {
        run();
        Ok(())
    })
}
