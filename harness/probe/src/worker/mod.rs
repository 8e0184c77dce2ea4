//! A probe: it keeps one model and one context, and answers one request after the other.

mod job;
mod limits;
mod observe;
mod resident;

pub use observe::{Observe, Probe};
