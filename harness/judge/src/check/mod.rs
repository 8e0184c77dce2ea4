//! From an observation to findings. Pure functions: nothing here runs, reads or writes anything.

mod carried;
mod compare;
mod count;
mod diagnose;
mod evaluate;
pub(crate) mod excerpt;
mod memory;
mod place;
mod placement;
mod stop;
mod text;
mod tokens;
mod turns;
mod vocab;

pub use compare::compare;
pub use diagnose::diagnose;
pub use evaluate::{Expected, evaluate};
pub use memory::{TurnSize, overflow_turn};
pub use placement::placement;
