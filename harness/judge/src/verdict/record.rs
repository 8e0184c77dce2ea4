//! The record of one item: what every report is made from.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Outcome, Placement};
use crate::evidence::Evidence;
use crate::finding::Finding;
use crate::plan::Item;
use crate::trace::Traced;
use crate::triage::Blame;

/// What the harness says of one item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The case's id.
    pub case: String,
    /// The model's name, `-` for none.
    pub model: String,
    /// What was typed to ask for the model, where that is not its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_as: Option<String>,
    /// The subject's name.
    pub subject: String,
    /// The flags that ask that subject, and the reference, where they are more than `--backend` and its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_with: Option<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// Why, for a skip, an inconclusive or a broken item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What is wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Which layer is to blame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blame: Option<Blame>,
    /// The line of the case file with the demand that was not met, where something is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// What was seen beside what was expected, for people to look at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Box<Evidence>>,
    /// Where it was computed, where that was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<Placement>,
    /// Which node of the graph is wrong, where that was traced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Box<Traced>>,
    /// A golden that waits for review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<PathBuf>,
    /// The last lines that the subject logged, where something is wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub log_tail: Vec<String>,
    /// Wall time of the item as a whole.
    pub milliseconds: f64,
    /// Of that, microseconds inside llama.cpp, loading included.
    pub compute_us: u64,
}

impl Record {
    /// A record that says nothing but how `item` ended.
    pub fn new(item: &Item, outcome: Outcome, reason: Option<String>) -> Self {
        let asked_as = item.model.as_ref().and_then(|model| model.asked_as.clone());
        let named = Self::named(&item.case.id, item.model_name(), &item.target.name, outcome, reason);
        Self { asked_as, asked_with: item.asked_with(), ..named }
    }

    /// As [`Self::new`], by the names of case, model and subject.
    pub fn named(case: &str, model: &str, subject: &str, outcome: Outcome, reason: Option<String>) -> Self {
        Self {
            case: case.to_owned(),
            model: model.to_owned(),
            asked_as: None,
            subject: subject.to_owned(),
            asked_with: None,
            outcome,
            reason,
            findings: Vec::new(),
            blame: None,
            line: None,
            evidence: None,
            placement: None,
            trace: None,
            pending: None,
            log_tail: Vec::new(),
            milliseconds: 0.0,
            compute_us: 0,
        }
    }
}
