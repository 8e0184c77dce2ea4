//! Which layer is to blame.
//!
//! The layers of a runtime stand one on the other, and turns follow each other. Where several findings come
//! together, the first turn in which anything is wrong counts, and in it the first layer; the rest follows from it.
//! A turn that began with something else than it should have (a memory that was not cleared, a history that was not
//! sent) explains everything else in it, on whatever layer. Pure: this room must never ask, read or write anything.

mod blame;
mod sentence;

pub use blame::{Blame, FIND_THE_OPERATOR, triage};
