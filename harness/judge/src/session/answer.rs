//! What a source of answers gives: an answer, or why there is none.

use wire::{Card, Observation, Request};

use crate::causes::in_one_line;
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
        Self { outcome: Outcome::Broken, reason: in_one_line(error) }
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
