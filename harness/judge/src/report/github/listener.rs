//! The listener.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::annotation::annotations;
use super::summary::summary;
use crate::report::Document;
use crate::session::{Event, Listener};
use crate::whole;

/// Prints annotations and adds to the job's summary at the end of a run.
#[derive(Debug)]
pub struct Github<W> {
    out: W,
    path: PathBuf,
    document: Document,
}

impl<W: Write> Github<W> {
    /// Annotations go to `out`, which is the step's output; the summary to the file at `path`, which belongs to the
    /// runner and is only added to.
    ///
    /// # Errors
    /// When that file cannot be written to.
    pub fn new(out: W, path: &Path) -> io::Result<Self> {
        match OpenOptions::new().append(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                tempfile::tempfile_in(whole::folder(path))?;
            }
            file => drop(file?),
        }
        Ok(Self { out, path: path.to_owned(), document: Document::empty() })
    }

    /// Shows `document`, which need not be that of a run of this process.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&mut self, document: &Document) -> io::Result<()> {
        self.out.write_all(annotations(document).as_bytes())?;
        self.out.flush()?;
        let file = OpenOptions::new().append(true).create(true).open(&self.path);
        let written = file.and_then(|mut file| file.write_all(summary(document).as_bytes()));
        written.map_err(|error| {
            io::Error::new(
                error.kind(),
                format!("{}: cannot write the summary: {error}", self.path.display()),
            )
        })
    }
}

impl<W: Write> Listener for Github<W> {
    fn hear(&mut self, event: Event<'_>) -> io::Result<()> {
        self.document.hear(event);
        if !matches!(event, Event::Finished(_)) {
            return Ok(());
        }
        let document = std::mem::replace(&mut self.document, Document::empty());
        self.write(&document)
    }
}
