//! The text half of a chat loop: messages to a prompt, bytes to an answer.
//!
//! [`render`] turns messages into a prompt as Hugging Face transformers would, [`render_segments`] also says
//! which parts of it came from messages, and [`AnswerStream`] turns the bytes of generated tokens into answer and
//! thought. Everything is a pure function of its arguments: this room must never tokenise, run a model, read a clock,
//! touch a file or judge an answer.
#![forbid(unsafe_code)]

mod answer;
mod clock;
mod environment;
mod error;
mod iterable;
mod render;
mod segments;
mod sentinel;
mod shallow;
mod source;
mod stop;
mod tags;
mod thinking;
mod tojson;
mod utf8;

pub use answer::{Answer, AnswerStream, Step};
pub use clock::{FROZEN_NOW, FROZEN_NOW_SECONDS};
pub use error::TemplateError;
pub use render::{Compiled, FUEL, MAX_PROMPT_BYTES, RenderInput, render};
pub use segments::{Origin, Rendered, Segment, render_segments};
pub use source::{MAX_ELIFS, MAX_TAG_OPERATORS, MAX_TEMPLATE_BYTES};
