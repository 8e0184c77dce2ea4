//! Reports: the only room that formats results.
//!
//! Every report is a [`crate::session::Listener`] of the same events. All but the console's are made from one
//! [`Document`], which is also what the JSON report holds.

mod console;
mod document;
mod failure;
mod file;
mod format;
mod github;
mod grid;
mod html;
mod junit;
mod matrix;
mod merge;
mod output;
mod trial;
mod words;

pub use console::Console;
pub use document::{CaseNote, Document, REPORT_VERSION, peak_memory_bytes};
pub use file::{FileReport, ReportError};
pub use format::Format;
pub use github::Github;
pub use merge::{MergeError, merge, read_report};
pub use output::Output;
pub use trial::trial;
pub use words::plural;
