//! What several tests need.

mod input;

pub(crate) use input::input;
