//! The JSON report, as docs/report.md describes it.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use wire::Card;

use super::output::Output;
use crate::session::{Event, Listener, Summary};
use crate::verdict::{Record, Totals};

/// Version of the report's form; it changes whenever an older reader would misread a newer report.
pub const JSON_VERSION: u32 = 1;

/// Writes one JSON file at the end of a run, whole or not at all.
#[derive(Debug)]
pub struct JsonReport {
    output: Output,
    subjects: BTreeMap<String, Card>,
    jobs: usize,
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    cards: &'a BTreeMap<String, Card>,
    jobs: usize,
    interrupted: bool,
    results: Vec<&'a Record>,
    totals: Totals,
    wall_ms: f64,
    peak_memory_bytes: Option<u64>,
}

/// A report that could not be written even if there were one.
#[derive(Debug, thiserror::Error)]
#[error("{}: no report can be written there: {source}; name a file in a folder that is there and can be written to", path.display())]
pub struct ReportError {
    path: PathBuf,
    source: io::Error,
}

impl JsonReport {
    /// A report to `path`. What is there stays as it is until the run has ended.
    ///
    /// # Errors
    /// When no file can be made there: better now than after the run.
    pub fn create(path: &Path) -> Result<Self, ReportError> {
        let output = Output::to(path).map_err(|source| ReportError { path: path.to_owned(), source })?;
        Ok(Self { output, subjects: BTreeMap::new(), jobs: 0 })
    }

    fn write(&self, summary: &Summary) -> io::Result<()> {
        let mut results: Vec<&Record> = summary.records.iter().collect();
        results.sort_by(|a, b| (&a.subject, &a.model, &a.case).cmp(&(&b.subject, &b.model, &b.case)));
        let document = Document {
            version: JSON_VERSION,
            cards: &self.subjects,
            jobs: self.jobs,
            interrupted: summary.interrupted,
            results,
            totals: summary.totals,
            wall_ms: summary.wall_ms,
            peak_memory_bytes: peak_memory_bytes(),
        };
        let mut text = serde_json::to_vec_pretty(&document)?;
        text.push(b'\n');
        self.output.write(&text)
    }
}

impl Listener for JsonReport {
    fn hear(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::Planned { subjects, jobs, .. } => {
                self.subjects = subjects.iter().cloned().collect();
                self.jobs = jobs;
                Ok(())
            }
            Event::Answered { .. } | Event::Ended(_) => Ok(()),
            Event::Finished(summary) => self.write(summary).map_err(|error| {
                let path = self.output.path().display();
                io::Error::new(error.kind(), format!("{path}: cannot write the report: {error}"))
            }),
        }
    }
}

/// Peak resident memory of this process: Linux's VmHWM. `None` elsewhere.
fn peak_memory_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib * 1024)
}
