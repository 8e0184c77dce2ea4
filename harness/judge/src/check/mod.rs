//! From an observation to findings. Pure functions: nothing here runs, reads or writes anything.

mod compare;
mod count;
mod diagnose;
mod evaluate;
mod excerpt;
mod memory;
mod stop;
mod text;
mod tokens;
mod turns;
mod vocab;

pub use compare::compare;
pub use diagnose::diagnose;
pub use evaluate::{Expected, evaluate};
pub use memory::{TurnSize, overflow_turn};
