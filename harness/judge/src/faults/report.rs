//! What came of it all.

use serde::Serialize;

use super::{FaultEntry, Row, SeedReport, SkippedFault};
use crate::verdict::Record;

/// Everything that `cargo xtask faults` found. Its JSON is this, by field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FaultReport {
    /// Of this format.
    pub version: u32,
    /// The subject.
    pub subject: String,
    /// One row for each fault and item.
    pub rows: Vec<Row>,
    /// Faults that the subject cannot show.
    pub skipped: Vec<SkippedFault>,
    /// Faults whose blamed layer is not where they lie.
    pub exceptions: Vec<Exception>,
    /// The healthy subject on the same items.
    pub healthy: Healthy,
    /// The healthy subject under other conditions.
    pub seeds: SeedReport,
    /// Wall time.
    pub seconds: f64,
}

/// A fault that is blamed elsewhere than where it lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Exception {
    /// The fault.
    pub fault: String,
    /// Why.
    pub reason: String,
}

/// The healthy subject.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Healthy {
    /// Items that it was asked.
    pub items: usize,
    /// Those that it failed. Where there is nothing to compare with, nothing can be said; faults are compared with
    /// the healthy subject.
    pub alarms: Vec<Record>,
}

impl FaultReport {
    /// The version of the format.
    pub const VERSION: u32 = 1;

    /// The exceptions among `entries`.
    pub fn exceptions(entries: &[FaultEntry]) -> Vec<Exception> {
        let exception = |entry: &FaultEntry| {
            let reason = entry.exception.clone()?;
            Some(Exception { fault: entry.fault.clone(), reason })
        };
        entries.iter().filter_map(exception).collect()
    }

    /// Rows that were not caught, or not blamed as stated.
    pub fn wrong_rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| !row.caught || !row.as_stated)
    }

    /// Whether all faults were caught and blamed as stated, and the healthy subject raised no alarm.
    pub fn is_fine(&self) -> bool {
        self.wrong_rows().next().is_none() && self.healthy.alarms.is_empty() && self.seeds.alarms.is_empty()
    }
}
