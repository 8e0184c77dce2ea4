//! Reports that are one file each.

use std::io;
use std::path::{Path, PathBuf};

use super::output::Output;
use super::{Document, Format};
use crate::session::{Event, Listener};

/// Writes one file at the end of a run, whole or not at all.
#[derive(Debug)]
pub struct FileReport {
    output: Output,
    format: Format,
    document: Document,
}

/// A report that could not be written even if there were one.
#[derive(Debug, thiserror::Error)]
#[error("{}: no report can be written there: {source}; name a file in a folder that is there and can be written to", path.display())]
pub struct ReportError {
    path: PathBuf,
    source: io::Error,
}

impl FileReport {
    /// A report in `format` to `path`. What is there stays as it is until the run has ended.
    ///
    /// # Errors
    /// When no file can be made there: better now than after the run.
    pub fn create(format: Format, path: &Path) -> Result<Self, ReportError> {
        let output = Output::to(path).map_err(|source| ReportError { path: path.to_owned(), source })?;
        Ok(Self { output, format, document: Document::empty() })
    }

    /// Whether the later one of both would take the other's place. Pipes, terminals and devices are shared.
    pub fn shares_a_file_with(&self, other: &Self) -> bool {
        self.output.is_same_file(&other.output)
    }

    /// Writes `document`, which need not be that of a run of this process.
    ///
    /// # Errors
    /// When it cannot be written; then what was there before is there still.
    pub fn write(&self, document: &Document) -> io::Result<()> {
        let text = self.format.text(document)?;
        self.output.write(text.as_bytes()).map_err(|error| {
            let path = self.output.path().display();
            io::Error::new(error.kind(), format!("{path}: cannot write the report: {error}"))
        })
    }
}

impl Listener for FileReport {
    fn hear(&mut self, event: Event<'_>) -> io::Result<()> {
        self.document.hear(event);
        if matches!(event, Event::Finished(_)) { self.write(&self.document) } else { Ok(()) }
    }
}
