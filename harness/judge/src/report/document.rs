//! What every report but the console's is made from, as docs/report.md describes it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wire::Card;

use crate::session::{Event, Summary};
use crate::verdict::{Record, Totals};

/// Version of the report's form; it changes whenever an older reader would misread a newer report.
pub const REPORT_VERSION: u32 = 1;

/// A run as a whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// [`REPORT_VERSION`].
    pub version: u32,
    /// Every subject's card, by the subject's name.
    pub cards: BTreeMap<String, Card>,
    /// What the cases of the run say of themselves, by the case's id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cases: BTreeMap<String, CaseNote>,
    /// Which part of a run this is, as `K/N`, where it is one of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition: Option<String>,
    /// Threads that asked.
    pub jobs: usize,
    /// Whether the run was stopped before its end.
    pub interrupted: bool,
    /// One for each item, sorted by subject, model and case.
    pub results: Vec<Record>,
    /// Known failures that fit no item any more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<String>,
    /// How many items ended how.
    pub totals: Totals,
    /// Wall time in milliseconds, from the plan to the last verdict.
    pub wall_ms: f64,
    /// Most resident memory of the harness itself; `None` where the system does not say.
    pub peak_memory_bytes: Option<u64>,
}

/// What a case says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseNote {
    /// What goes wrong for whom if it fails.
    pub why: String,
    /// Public reports or documents that the expected values come from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
}

impl Document {
    /// A document without results.
    pub fn empty() -> Self {
        Self {
            version: REPORT_VERSION,
            cards: BTreeMap::new(),
            cases: BTreeMap::new(),
            partition: None,
            jobs: 0,
            interrupted: false,
            results: Vec::new(),
            stale: Vec::new(),
            totals: Totals::default(),
            wall_ms: 0.0,
            peak_memory_bytes: None,
        }
    }

    /// Hears `event`; after [`Event::Finished`] the document is whole.
    pub(super) fn hear(&mut self, event: Event<'_>) {
        match event {
            Event::Planned { subjects, jobs, cases, partition, .. } => {
                self.partition = partition.map(|partition| partition.to_string());
                self.cards = subjects.iter().cloned().collect();
                self.jobs = jobs;
                let note =
                    |case: &&crate::case::Case| CaseNote { why: case.why.clone(), links: case.links.clone() };
                self.cases = cases.iter().map(|case| (case.id.clone(), note(case))).collect();
            }
            Event::Answered { .. } | Event::Ended(_) => {}
            Event::Finished(summary) => self.finish(summary),
        }
    }

    fn finish(&mut self, summary: &Summary) {
        self.results.clone_from(&summary.records);
        self.sort();
        self.interrupted = summary.interrupted;
        self.stale.clone_from(&summary.stale);
        self.totals = summary.totals;
        self.wall_ms = summary.wall_ms;
        self.peak_memory_bytes = peak_memory_bytes();
    }

    pub(super) fn sort(&mut self) {
        self.results.sort_by(|a, b| (&a.subject, &a.model, &a.case).cmp(&(&b.subject, &b.model, &b.case)));
    }

    /// The results that are no success.
    pub(super) fn bad(&self) -> impl Iterator<Item = &Record> {
        self.results.iter().filter(|record| record.outcome.is_bad())
    }
}

/// Peak resident memory of this process: Linux's VmHWM. `None` elsewhere.
pub fn peak_memory_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib * 1024)
}
