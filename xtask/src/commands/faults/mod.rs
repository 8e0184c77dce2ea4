//! `cargo xtask faults`: proves that every check can fail, and that the right layer is blamed.

mod prove;
mod table;

pub(super) use prove::{prove, run};
