//! All of a case's demands on one observation.

use wire::{Ending, LoadEvidence, Observation, Request, Stimulus, Turn};

use super::{compare, count, diagnose, memory, stop, text, tokens, turns, vocab};
use crate::case::{Case, Check, OverflowCheck, TextCheck};
use crate::finding::{Code, Finding};
use crate::numbers::Tolerance;

/// What an observation is compared with.
#[derive(Clone, Debug)]
pub struct Expected<'a> {
    /// What it is, for messages: "the golden", "cpu-baseline".
    pub name: &'a str,
    /// What was seen there.
    pub observation: &'a Observation,
}

/// Everything that is wrong with `observation` as an answer to `request` under `case`.
///
/// What the case expects is left out, and missing expectations are findings themselves.
pub fn evaluate(
    case: &Case,
    request: &Request,
    observation: &Observation,
    expected: &[Expected<'_>],
    tolerance: &Tolerance,
) -> Vec<Finding> {
    let mut findings = diagnose(request, observation);
    let stopped =
        matches!(observation.ending, Ending::Died { .. } | Ending::Hung { .. } | Ending::Garbled { .. });
    if !stopped {
        let seen = Seen { request, observation, expected, tolerance };
        for (index, check) in case.checks.iter().enumerate() {
            findings.extend(seen.judge(check).into_iter().map(|finding| finding.by_check(index)));
        }
    }
    let missing: Vec<Finding> = case
        .expects
        .iter()
        .filter(|code| !findings.iter().any(|finding| finding.code == **code))
        .map(|code| Finding::new(Code::ExpectedFindingMissing, format!("no finding \"{code}\" came")))
        .collect();
    findings.retain(|finding| !case.expects.contains(&finding.code));
    findings.extend(missing);
    findings
}

/// What a check looks at.
#[derive(Clone, Copy)]
struct Seen<'a> {
    request: &'a Request,
    observation: &'a Observation,
    expected: &'a [Expected<'a>],
    tolerance: &'a Tolerance,
}

impl Seen<'_> {
    fn judge(self, check: &Check) -> Vec<Finding> {
        match check {
            Check::Prompt(demand) => self.on_turn(demand.turn, |turn| {
                text::check("prompt", Code::PromptDiffers, demand, turn.prompt.as_deref())
            }),
            Check::Answer(demand) => self.on_turn(demand.turn, |turn| {
                text::check("answer", Code::TextDiffers, demand, turn.answer.as_deref())
            }),
            Check::Thinking(demand) => self.on_turn(demand.turn, |turn| text::thought(demand, turn)),
            Check::Refusal(demand) => self.refusal(demand),
            Check::Tokens(demand) => self.on_turn(demand.turn, |turn| tokens::pieces(demand, turn)),
            Check::Bos(demand) => {
                self.on_turn(demand.turn, |turn| self.on_load(|load| tokens::bos(demand, turn, load)))
            }
            Check::ControlTokens(demand) => self.on_turn(0, |turn| tokens::control(demand, turn)),
            Check::Stop(demand) => self.on_turn(demand.turn, |turn| stop::check(demand, turn)),
            Check::Generated(demand) => self.on_turn(demand.turn, |turn| {
                count::check("tokens generated", Code::GeneratedCount, demand, turn.generated.len())
            }),
            Check::Vocab(demand) => self.on_load(|load| vocab::check(demand, load)),
            Check::Golden {} | Check::Live {} => self.compared(),
            Check::SameTurns(demand) => {
                turns::same(*demand, &self.observation.turns, self.numbers_were_asked_for())
            }
            Check::SwitchedPrompts(demand) => turns::switched(*demand, &self.observation.turns),
            Check::Remembered(demand) => self.on_turn(demand.turn, |turn| memory::remembered(demand, turn)),
            Check::Forgotten(demand) => self.on_turn(demand.turn, |turn| memory::forgotten(demand, turn)),
            Check::Memory(demand) => self.on_turn(demand.turn, |turn| memory::state(demand, turn)),
            Check::Overflow(demand) => self.overflow(*demand),
        }
    }

    /// What is wrong with a turn. A subject that refused has no turns; its refusal is the finding then.
    fn on_turn(self, index: usize, judge: impl FnOnce(&Turn) -> Vec<Finding>) -> Vec<Finding> {
        match self.observation.turns.get(index) {
            Some(turn) => judge(turn).into_iter().map(|finding| finding.in_turn(index)).collect(),
            None => self.incomplete(format!("there is no turn {index}")),
        }
    }

    fn on_load(self, judge: impl FnOnce(&LoadEvidence) -> Vec<Finding>) -> Vec<Finding> {
        match &self.observation.load {
            Some(load) => judge(load),
            None => self.incomplete("nothing was said of the model".to_owned()),
        }
    }

    fn numbers_were_asked_for(self) -> bool {
        match &self.request.stimulus {
            Stimulus::Generate(spec) => spec.score,
            Stimulus::Converse(spec) => spec.score,
            // A case that compares turns which show nothing would be no case.
            _ => true,
        }
    }

    fn incomplete(self, message: String) -> Vec<Finding> {
        match self.observation.ending {
            Ending::Refused(_) => Vec::new(),
            _ => vec![Finding::new(Code::ObservationIncomplete, message)],
        }
    }

    fn refusal(self, demand: &TextCheck) -> Vec<Finding> {
        match &self.observation.ending {
            Ending::Refused(refusal) => {
                let found = text::check("refusal", Code::RefusalDiffers, demand, Some(&refusal.message));
                found.into_iter().map(|finding| Finding { layer: refusal.layer, ..finding }).collect()
            }
            _ if demand.absent => Vec::new(),
            _ => vec![Finding::new(Code::RefusalDiffers, "the subject did not refuse")],
        }
    }

    fn compared(self) -> Vec<Finding> {
        let compare = |expected: &Expected<'_>| {
            compare(self.observation, expected.observation, expected.name, self.tolerance)
        };
        self.expected.iter().flat_map(compare).collect()
    }

    fn overflow(self, demand: OverflowCheck) -> Vec<Finding> {
        match &self.request.stimulus {
            Stimulus::Converse(spec) => memory::overflow(demand, spec, self.observation),
            _ => vec![Finding::new(Code::ObservationIncomplete, "only a conversation can overflow")],
        }
    }
}
