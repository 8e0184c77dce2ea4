//! One answer and everything that it is judged by.

use std::borrow::Cow;

use wire::Observation;

use super::answer::Answer;
use super::shown::{reference_for, request_for};
use crate::case::Check;
use crate::check::{Expected, compare, evaluate, placement};
use crate::evidence::{Detail, Evidence, evidence};
use crate::finding::{Code, Finding};
use crate::golden::{Golden, MAKER};
use crate::numbers::Tolerance;
use crate::plan::Item;
use crate::trace::command;
use crate::triage::{Blame, FIND_THE_OPERATOR, triage};
use crate::verdict::{Outcome, Placement, Record};

pub(super) struct Judged<'a> {
    pub(super) item: &'a Item,
    pub(super) ours: &'a Answer,
    pub(super) golden: Option<&'a Golden>,
    pub(super) live: Option<&'a Answer>,
    pub(super) tolerance: &'a Tolerance,
    /// What the live answer is called.
    pub(super) live_name: String,
}

/// Whether an answer to `item` may become a golden: the maker's, to a case that is no variant.
pub(super) fn makes_goldens(item: &Item) -> bool {
    item.target.name == MAKER && item.case.variant_of.is_none()
}

impl Judged<'_> {
    /// Outcome, findings and blame.
    pub(super) fn record(&self) -> Record {
        let findings = self.findings();
        let (outcome, reason) = match self.nothing_to_compare_with() {
            _ if !findings.is_empty() => (Outcome::Fail, None),
            Some(reason) => (Outcome::Inconclusive, Some(reason)),
            None => (Outcome::Pass, None),
        };
        let mut record = Record::new(self.item, outcome, reason);
        let observation = &self.ours.observation;
        let references = self.references();
        let expected = expected(&references);
        let reference = expected.first().map(|expected| expected.observation);
        record.blame = triage(&findings, observation, reference).map(|blame| self.with_trace(blame));
        record.line = findings.first().map(|finding| self.item.case.line_of(finding));
        let detail = if findings.is_empty() { Detail::Brief } else { Detail::Full };
        let made = evidence(
            &self.item.case,
            &self.ours.request,
            observation,
            expected.first(),
            self.tolerance,
            detail,
        );
        record.evidence = (made != Evidence::default()).then(|| Box::new(made));
        if findings.iter().any(|finding| !finding.code.is_remark()) {
            record.log_tail.clone_from(&observation.log_tail);
        }
        record.findings = findings;
        record.placement = Placement::of(&observation.nodes);
        record.compute_us = observation.timing.load_us + observation.timing.compute_us;
        record
    }

    /// Wrong numbers can be traced to a node of the graph.
    fn with_trace(&self, blame: Blame) -> Blame {
        let line = blame.code.is_numeric().then(|| command(self.item, self.ours.card.fault.as_deref()));
        match line.flatten() {
            Some(line) => Blame { next: format!("{}{FIND_THE_OPERATOR}`{line}`", blame.next), ..blame },
            None => blame,
        }
    }

    /// Whether the accepted golden is there and says the same.
    pub(super) fn agrees_with_golden(&self) -> bool {
        self.golden.is_some_and(|golden| {
            compare(&self.ours.observation, &golden.observation, "the golden", self.tolerance).is_empty()
        })
    }

    /// What the answer is compared with, as far as its subject can show it.
    fn references(&self) -> Vec<(&str, Cow<'_, Observation>)> {
        let golden = self.golden.map(|golden| ("the golden", &golden.observation));
        let live = self.live.map(|live| (self.live_name.as_str(), &live.observation));
        let shown = |(name, observation)| (name, reference_for(&self.ours.card, observation));
        golden.into_iter().chain(live).map(shown).collect()
    }

    fn findings(&self) -> Vec<Finding> {
        let Answer { request, observation, card } = self.ours;
        let (references, asked) = (self.references(), request_for(card, request));
        let case = &self.item.case;
        let mut findings = evaluate(case, &asked, observation, &expected(&references), self.tolerance);
        findings.extend(placement(card, request, observation));
        if let Some(fault) = &card.fault {
            findings.push(Finding::new(
                Code::FaultActive,
                format!("the subject runs with the fault \"{fault}\""),
            ));
        }
        let listed = self.item.model.as_ref().is_some_and(|model| model.listed);
        if self.item.case.has_golden() && self.golden.is_none() && listed && makes_goldens(self.item) {
            let message =
                format!("there is no golden of {} for {}", self.item.case.id, self.item.model_name());
            findings.push(Finding::new(Code::GoldenMissing, message));
        }
        findings
    }

    /// A golden check with neither golden nor live reference says nothing.
    fn nothing_to_compare_with(&self) -> Option<String> {
        let demands = self.item.case.checks.iter().any(|check| matches!(check, Check::Golden {}));
        (demands && self.golden.is_none() && self.live.is_none()).then(|| {
            format!(
                "no golden and no live reference to compare with; run with --backend {MAKER},{}",
                self.item.target.name
            )
        })
    }
}

fn expected<'a>(references: &'a [(&'a str, Cow<'a, Observation>)]) -> Vec<Expected<'a>> {
    references.iter().map(|(name, observation)| Expected { name, observation }).collect()
}
