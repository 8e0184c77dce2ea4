//! What changed in meaning between two goldens: what a person has to know before agreeing with the new one.
//!
//! Pure: it never reads, writes or decides. Only the golden room writes goldens, and only a person accepts them.

mod change;
mod turn;

pub use change::changes;
