//! What bench reads of a report that `test --json` wrote.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Deserialize;

/// The version of the report that this reads.
const VERSION: u32 = 1;

/// One run.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Report {
    version: u32,
    /// Every item.
    pub(crate) results: Vec<Item>,
    /// Wall time of the run in milliseconds, builds and set-up left out.
    pub(crate) wall_ms: f64,
    /// The most memory that the judging process had, in bytes; not every system says it.
    #[serde(default)]
    pub(crate) peak_memory_bytes: Option<u64>,
}

/// One case on one subject with one model.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Item {
    /// Wall time in milliseconds.
    pub(crate) milliseconds: f64,
    /// Of that, inside llama.cpp, in microseconds.
    #[serde(default)]
    pub(crate) compute_us: u64,
    /// How it ended.
    pub(crate) outcome: String,
}

impl Item {
    /// What does not count: nothing was asked.
    pub(crate) fn is_skipped(&self) -> bool {
        self.outcome == "skip"
    }

    /// Milliseconds outside llama.cpp.
    pub(crate) fn overhead_ms(&self) -> f64 {
        self.milliseconds - self.compute_us as f64 / 1000.0
    }
}

impl Report {
    /// Reads one.
    ///
    /// # Errors
    /// When it is missing, no report, or of another version.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let report: Self =
            serde_json::from_slice(&text).with_context(|| format!("{} is no report", path.display()))?;
        anyhow::ensure!(
            report.version == VERSION,
            "{} is a report of version {}, not {VERSION}; build xtask anew",
            path.display(),
            report.version
        );
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_needs_and_no_other_version() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.json");
        let text = r#"{"version": 1, "cards": {}, "wall_ms": 12.5, "peak_memory_bytes": 7, "results":
            [{"case": "c", "outcome": "pass", "milliseconds": 3.0, "compute_us": 1000}]}"#;
        std::fs::write(&path, text).unwrap();
        let report = Report::read(&path).unwrap();
        assert_eq!((report.results[0].overhead_ms(), report.peak_memory_bytes), (2.0, Some(7)));
        std::fs::write(&path, text.replacen('1', "2", 1)).unwrap();
        assert!(Report::read(&path).unwrap_err().to_string().ends_with("version 2, not 1; build xtask anew"));
    }
}
