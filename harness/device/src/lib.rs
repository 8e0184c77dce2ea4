//! Asking a phone: one run of many questions, whose answers come back as files.
//!
//! A phone cannot be asked question by question. So a [`Sheet`] of all questions goes there with the models, each
//! answer becomes a file, and the files become a recording that the judge replays. Between lie Apple's tools: every
//! command line is a pure function ([`argv`]), everything that they print is read by a tolerant parser ([`said`]), and
//! [`flow`] puts the two together. This room must never judge: an answer is an answer, and what a tool refuses is a
//! [`Trouble`] with an exit code of its own, never a case's failure.
#![forbid(unsafe_code)]

pub mod argv;
pub mod flow;
pub mod said;
mod sheet;
mod subject;
mod swift;
mod trouble;

pub use sheet::{
    Answer, Asked, Collected, Question, SHEET_VERSION, Sheet, SheetError, SheetModel, ToAsk, collect, record,
};
pub use subject::{DEVICE, PHONES, Phone, assumed_card};
pub use swift::{SwiftError, swift_tests, test_name};
pub use trouble::{Trouble, TroubleKind};
