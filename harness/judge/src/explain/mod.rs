//! From a log to a cure: recognises the lines that llama.cpp, Metal, Xcode and wrappers are known to write, and says
//! what they mean.
//!
//! What is known is data (`signatures.json`): a pattern, or a small rule over several lines, and the finding of the
//! catalogue that it points to. Nothing here runs a model, and nothing is judged: a log is somebody else's, so it
//! may be huge, cut, or not even text. This room also writes its own reports, since no run and no record stands
//! behind them.

mod clean;
mod code;
mod explained;
mod facts;
mod lines;
mod log;
mod matcher;
mod rule;
mod signature;
mod text;
mod words;

pub use code::{CodeHelp, explain_code, nearest_code};
pub use explained::{Explained, LogReport, Role};
pub use lines::LINE_BYTES;
pub use log::explain_log;
pub use rule::Rule;
pub use signature::{Case, Severity, Signature, When, signatures};
