//! Counts tests and cases.

use std::fmt;
use std::ops::AddAssign;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Deserialize;

/// How many passed, failed, and did not run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Tally {
    /// Fine.
    pub(crate) passed: u64,
    /// Not fine.
    pub(crate) failed: u64,
    /// Not run, or without a verdict.
    pub(crate) skipped: u64,
}

impl Tally {
    /// The counts in one line of libtest: `test result: ok. 3 passed; 0 failed; 1 ignored; …`; `None` for any
    /// other line.
    pub(crate) fn of_libtest_line(line: &str) -> Option<Self> {
        let (_, counts) = line.trim().strip_prefix("test result: ")?.split_once(". ")?;
        let count = |word: &str| {
            let (number, _) = counts
                .split("; ")
                .find_map(|part| part.trim().split_once(' ').filter(|(_, w)| *w == word))?;
            number.parse().ok()
        };
        Some(Self { passed: count("passed")?, failed: count("failed")?, skipped: count("ignored")? })
    }

    /// The totals of a report that `test --json` wrote.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn of_report(path: &Path) -> Result<Self> {
        #[derive(Deserialize)]
        struct Report {
            totals: Tally,
        }
        let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let report: Report =
            serde_json::from_slice(&text).with_context(|| format!("{} is no report", path.display()))?;
        Ok(report.totals)
    }

    /// Whether anything was counted.
    pub(crate) fn is_empty(self) -> bool {
        self == Self::default()
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libtest_lines_are_counted_and_others_are_not() {
        let line = "test result: FAILED. 12 passed; 2 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.01s";
        assert_eq!(Tally::of_libtest_line(line), Some(Tally { passed: 12, failed: 2, skipped: 1 }));
        for line in
            ["test tally ... ok", "test result: ok.", "test result: ok. many passed; 0 failed; 0 ignored", ""]
        {
            assert_eq!(Tally::of_libtest_line(line), None, "{line}");
        }
    }

    #[test]
    fn a_report_has_totals() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.json");
        let text = r#"{"version": 1, "results": [], "totals": {"passed": 3, "failed": 1, "skipped": 2, "broken": 0}}"#;
        std::fs::write(&path, text).unwrap();
        assert_eq!(Tally::of_report(&path).unwrap().to_string(), "3 passed, 1 failed, 2 skipped");
        std::fs::write(&path, "{}").unwrap();
        assert!(Tally::of_report(&path).is_err());
    }
}
