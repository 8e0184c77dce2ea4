//! Where things lie, and everything that a run is made of, read from there. Both front ends begin here.

mod folders;
mod replay;
mod suite;

pub use folders::Folders;
pub use replay::Replayed;
pub use suite::{SetupError, Suite};
