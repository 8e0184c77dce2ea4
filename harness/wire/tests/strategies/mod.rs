//! Values of every type of this crate, for property tests.

mod basic;
mod card;
mod graph;
mod observation;
mod request;

pub(crate) use basic::piece;
pub(crate) use card::card;
pub(crate) use observation::observation;
pub(crate) use request::request;
