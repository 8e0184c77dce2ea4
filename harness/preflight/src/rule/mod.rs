//! Rules: pure functions from what is needed and what is allowed to findings with numbers and a cure.

mod all;
mod code;
mod context;
mod finding;
mod memory;
mod rights;
mod situation;
mod space;
mod weights;

pub(crate) use all::findings;
pub use code::Code;
pub use finding::{Finding, Severity};
pub(crate) use situation::Situation;
