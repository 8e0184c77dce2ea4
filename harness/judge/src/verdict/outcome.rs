//! Outcomes and their totals.

use serde::{Deserialize, Serialize};

/// How an item ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// All is as it should be.
    Pass,
    /// Something is wrong.
    Fail,
    /// Something is wrong, and it is known.
    ExpectedFail,
    /// A known failure did not come: its entry is stale.
    Improved,
    /// Not asked, with a reason.
    Skip,
    /// It failed and then passed.
    Flaky,
    /// Nothing can be said, with a reason.
    Inconclusive,
    /// The harness itself failed.
    Broken,
}

impl Outcome {
    /// The word in the table.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "FAIL",
            Self::ExpectedFail => "known failure",
            Self::Improved => "IMPROVED",
            Self::Skip => "skip",
            Self::Flaky => "FLAKY",
            Self::Inconclusive => "inconclusive",
            Self::Broken => "BROKEN",
        }
    }

    /// Whether a run with this outcome is no success.
    pub const fn is_bad(self) -> bool {
        matches!(self, Self::Fail | Self::Improved | Self::Flaky | Self::Broken)
    }
}

/// How many items ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Pass and ExpectedFail.
    pub passed: usize,
    /// Fail, Improved, Flaky and Broken.
    pub failed: usize,
    /// Skip and Inconclusive.
    pub skipped: usize,
    /// Of the failed: Broken.
    pub broken: usize,
    /// Of the passed: ExpectedFail.
    pub known_failures: usize,
    /// Of the skipped: Inconclusive.
    pub inconclusive: usize,
}

impl Totals {
    /// Counts one more.
    pub fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Pass => self.passed += 1,
            Outcome::ExpectedFail => {
                self.passed += 1;
                self.known_failures += 1;
            }
            Outcome::Fail | Outcome::Improved | Outcome::Flaky => self.failed += 1,
            Outcome::Broken => {
                self.failed += 1;
                self.broken += 1;
            }
            Outcome::Skip => self.skipped += 1,
            Outcome::Inconclusive => {
                self.skipped += 1;
                self.inconclusive += 1;
            }
        }
    }

    /// Items that were really asked.
    pub const fn ran(&self) -> usize {
        self.passed + self.failed
    }
}
