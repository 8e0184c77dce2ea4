//! What is wrong with a model's chat template and vocabulary, seen in its file alone.
//!
//! [`lint`] renders a template a few times, compares what it writes with what the vocabulary holds and what llama.cpp
//! makes of it, and says what a chat app will stumble over. No model runs and no llama.cpp is linked: what llama.cpp
//! would do is written down as data, with the version that it was read from. Everything is a pure function of its
//! arguments: this room must never open a file, start a program or format a report for one front end alone.
#![forbid(unsafe_code)]

mod builtin;
mod code;
mod entry;
mod finding;
mod preset;
mod rules;
mod sarif;
mod shapes;
mod subject;
mod vocabulary;

pub use builtin::{BuiltinAnswer, BuiltinAnswers, builtin_questions};
pub use code::{LintCode, Severity};
pub use entry::{Entry, entry};
pub use finding::{Finding, LintReport};
pub use rules::lint;
pub use sarif::sarif;
pub use subject::Subject;
pub use vocabulary::Vocabulary;
