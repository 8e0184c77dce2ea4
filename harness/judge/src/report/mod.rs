//! Reports: the only room that formats results.
//!
//! Every report is a [`crate::session::Listener`] of the same events.

mod console;
mod json;
mod output;
mod trial;
mod words;

pub use console::Console;
pub use json::{JSON_VERSION, JsonReport, ReportError};
pub use output::Output;
pub use trial::trial;
pub use words::plural;
