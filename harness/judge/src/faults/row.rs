//! One fault on one item: caught or not, blamed as stated or not.

use serde::Serialize;
use wire::{FaultEffect, Layer};

use super::{Expectation, FaultEntry};
use crate::finding::{Code, Finding};
use crate::verdict::{Outcome, Record};

/// One line of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The fault.
    pub fault: String,
    /// The case.
    pub case: String,
    /// The model, `-` for none.
    pub model: String,
    /// What must come of it.
    pub stated: Expectation,
    /// Whether anything was found.
    pub caught: bool,
    /// Whether what was stated came.
    pub as_stated: bool,
    /// The layer that was blamed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<Layer>,
    /// The finding that blamed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finding: Option<Code>,
    /// The words of the blame, or of the refusal.
    pub sentence: String,
    /// Every finding.
    pub findings: Vec<Finding>,
    /// What the fault did to the logits, where that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<FaultEffect>,
    /// Wall time of the item.
    pub milliseconds: f64,
}

impl Row {
    /// Judges `record`, the verdict on a subject under `entry`'s fault. That the fault is on is no finding here.
    pub(super) fn new(
        entry: &FaultEntry,
        stated: Expectation,
        record: &Record,
        effect: Option<FaultEffect>,
    ) -> Self {
        let is_real = |finding: &&Finding| !finding.code.is_remark();
        let findings: Vec<Finding> = record.findings.iter().filter(is_real).cloned().collect();
        let blame = record.blame.as_ref().filter(|_| !findings.is_empty());
        let reason = record.reason.clone().unwrap_or_default();
        let (caught, as_stated) = match &stated {
            Expectation::Blame { layer, finding } => (
                !findings.is_empty(),
                blame.is_some_and(|blame| (blame.layer, blame.code) == (*layer, *finding)),
            ),
            Expectation::Broken(words) => {
                let is_broken = record.outcome == Outcome::Broken;
                (is_broken, is_broken && reason.contains(words.as_str()))
            }
        };
        Self {
            fault: entry.fault.clone(),
            case: record.case.clone(),
            model: record.model.clone(),
            stated,
            caught,
            as_stated,
            layer: blame.map(|blame| blame.layer),
            finding: blame.map(|blame| blame.code),
            sentence: blame.map_or(reason, |blame| blame.sentence.clone()),
            findings,
            effect,
            milliseconds: record.milliseconds,
        }
    }
}

#[cfg(test)]
mod tests {
    use wire::{Ending, Observation};

    use super::*;
    use crate::triage::triage;

    fn entry() -> FaultEntry {
        serde_json::from_value(serde_json::json!({
            "fault": "f", "layer": "stop", "finding": "never-ended", "shown_on": []
        }))
        .unwrap()
    }

    /// Whether a subject with these findings is caught, and blamed as `stated`.
    fn check(findings: &[Code], outcome: Outcome, stated: Expectation, expected: (bool, bool)) {
        let findings: Vec<Finding> = findings.iter().map(|code| Finding::new(*code, "seen")).collect();
        let record = Record {
            blame: triage(&findings, &Observation::ended(Ending::Completed), None),
            findings,
            ..Record::named("c", "m", "s", outcome, Some("it speaks protocol 2".into()))
        };
        let row = Row::new(&entry(), stated, &record, None);
        assert_eq!((row.caught, row.as_stated), expected, "{row:?}");
    }

    #[test]
    fn a_fault_is_caught_by_a_finding_and_stated_by_its_layer_and_code() {
        let stated = || Expectation::Blame { layer: Layer::Stop, finding: Code::NeverEnded };
        let broken = || Expectation::Broken("protocol".into());
        let active = Code::FaultActive;
        check(&[Code::NeverEnded, active], Outcome::Fail, stated(), (true, true));
        check(&[Code::TextDiffers, Code::NeverEnded, active], Outcome::Fail, stated(), (true, true));
        check(&[Code::PromptDiffers, Code::NeverEnded, active], Outcome::Fail, stated(), (true, false));
        check(&[active], Outcome::Fail, stated(), (false, false));
        check(&[], Outcome::Pass, stated(), (false, false));
        check(&[], Outcome::Broken, stated(), (false, false));
        check(&[], Outcome::Broken, broken(), (true, true));
        check(&[], Outcome::Pass, broken(), (false, false));
        check(&[Code::NeverEnded], Outcome::Fail, broken(), (false, false));
        check(&[], Outcome::Broken, Expectation::Broken("no such program".into()), (true, false));
    }
}
