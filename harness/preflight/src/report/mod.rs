//! What is said: to people in 80 columns, to programs as JSON.

mod build;
mod facts;
mod text;
mod wrap;

pub use build::{Outcome, Report};
pub use facts::{Check, Conversation, Streaming};
