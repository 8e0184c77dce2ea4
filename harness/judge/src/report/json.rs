//! The JSON report, as docs/report.md describes it.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use wire::Card;

use crate::session::{Event, Listener, Summary};
use crate::verdict::{Record, Totals};

/// Version of the report's form; it changes whenever an older reader would misread a newer report.
pub const JSON_VERSION: u32 = 1;

/// Writes one JSON file at the end of a run, whole or not at all.
#[derive(Debug)]
pub struct JsonReport {
    path: PathBuf,
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

impl JsonReport {
    /// A report to `path`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), subjects: BTreeMap::new(), jobs: 0 }
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
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
        serde_json::to_writer_pretty(&mut file, &document)?;
        file.write_all(b"\n")?;
        file.as_file().sync_all()?;
        file.persist(&self.path)?;
        Ok(())
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
            Event::Ended(_) => Ok(()),
            Event::Finished(summary) => self.write(summary).map_err(|error| {
                io::Error::new(
                    error.kind(),
                    format!("{}: cannot write the report: {error}", self.path.display()),
                )
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
