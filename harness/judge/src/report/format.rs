//! The forms that a report in a file can have.

use std::io;

use super::{Document, html, junit};

/// What a file report is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For programs: the document itself.
    Json,
    /// For CI systems that show test results.
    Junit,
    /// For people: one page that needs nothing else.
    Html,
}

impl Format {
    /// `document` in this form.
    ///
    /// # Errors
    /// When it cannot be expressed.
    pub fn text(self, document: &Document) -> io::Result<String> {
        match self {
            Self::Json => Ok(serde_json::to_string_pretty(document)? + "\n"),
            Self::Junit => junit::text(document),
            Self::Html => html::text(document),
        }
    }
}
