//! What a source of answers gives: an answer, or why there is none.

use wire::{Card, Observation, Request};

use crate::plan::Item;
use crate::verdict::{Outcome, Record};

/// One answer to an item.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// What was asked.
    pub request: Request,
    /// What was seen.
    pub observation: Observation,
    /// Who answered.
    pub card: Card,
}

/// Why an item has no answer, and what that makes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NoAnswer {
    outcome: Outcome,
    reason: String,
}

impl NoAnswer {
    /// The harness failed.
    pub(super) fn broken(error: &dyn std::error::Error) -> Self {
        Self { outcome: Outcome::Broken, reason: with_sources(error) }
    }

    /// Nothing can be said.
    pub(super) fn inconclusive(reason: String) -> Self {
        Self { outcome: Outcome::Inconclusive, reason }
    }

    /// The record of `item`.
    pub(super) fn record(self, item: &Item) -> Record {
        Record::new(item, self.outcome, Some(self.reason))
    }
}

/// An error and what is behind it, in one line.
fn with_sources(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text.push_str(&format!(": {error}"));
        source = error.source();
    }
    text
}
