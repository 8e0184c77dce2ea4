//! What several template engines made of the same conversation, and how that differs.
//!
//! A [`Conversation`] is what an app sends, in OpenAI's form; a [`Rendering`] is what an engine made of it: a prompt,
//! or an error of a [`ErrorClass`]. [`compare`] says in which ways one differs from another that is taken for right,
//! [`Renderer`] answers many requests a line each, and [`corpus`] is the table of real templates and conversations.
//! Everything is a pure function of its arguments: this room must never start an engine that is not in this process,
//! touch a file, tokenise or give a verdict.
#![forbid(unsafe_code)]

mod class;
mod compare;
mod conversation;
pub mod corpus;
mod lines;
mod rendering;
mod side_by_side;
mod turn;

pub use class::ErrorClass;
pub use compare::{Difference, compare};
pub use conversation::{Conversation, ConversationError};
pub use lines::{LineError, Renderer, Request};
pub use rendering::{RenderError, Rendering};
pub use side_by_side::side_by_side;
