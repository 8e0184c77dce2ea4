//! From a sheet to answers: the steps, and the tools that do them.

mod host;
mod phone;
mod ran;
mod tools;

pub use host::{App, apps};
pub use phone::{Connection, Target};
pub use ran::{Ran, ask, pull, push};
pub use tools::{Done, Tools};
