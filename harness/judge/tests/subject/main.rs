//! What a misbehaving subject costs: one item, never the run. The binary plays its own subjects.

mod ask;
mod endings;
mod fake;
mod pool;
mod recording;
mod replay;
mod start;

use std::env;

use libtest_mimic::{Arguments, Trial};

fn main() {
    if let Ok(role) = env::var(fake::ROLE) {
        return fake::play(&role);
    }
    let trials: Vec<Trial> =
        [endings::trials(), start::trials(), pool::trials(), recording::trials(), replay::trials()]
            .into_iter()
            .flatten()
            .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
