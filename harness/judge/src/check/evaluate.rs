//! All of a case's demands on one observation.

use wire::{Ending, Observation, Request, Stimulus, Turn};

use super::{compare, count, diagnose, memory, stop, text, tokens, turns, vocab};
use crate::case::{Case, Check};
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
        for (index, check) in case.checks.iter().enumerate() {
            let found = judge(check, request, observation, expected, tolerance);
            findings.extend(found.into_iter().map(|finding| finding.by_check(index)));
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

fn judge(
    check: &Check,
    request: &Request,
    observation: &Observation,
    expected: &[Expected<'_>],
    tolerance: &Tolerance,
) -> Vec<Finding> {
    let on_turn = |index: usize, judge: &dyn Fn(&Turn) -> Vec<Finding>| match observation.turns.get(index) {
        Some(turn) => judge(turn).into_iter().map(|finding| finding.in_turn(index)).collect(),
        None if matches!(observation.ending, Ending::Refused(_)) => Vec::new(),
        None => vec![Finding::new(Code::ObservationIncomplete, format!("there is no turn {index}"))],
    };
    let on_load = |judge: &dyn Fn(&wire::LoadEvidence) -> Vec<Finding>| match &observation.load {
        Some(load) => judge(load),
        None if matches!(observation.ending, Ending::Refused(_)) => Vec::new(),
        None => vec![Finding::new(Code::ObservationIncomplete, "nothing was said of the model")],
    };
    match check {
        Check::Prompt(demand) => on_turn(demand.turn, &|turn| {
            text::check("prompt", Code::PromptDiffers, demand, turn.prompt.as_deref())
        }),
        Check::Answer(demand) => on_turn(demand.turn, &|turn| {
            text::check("answer", Code::TextDiffers, demand, turn.answer.as_deref())
        }),
        Check::Thinking(demand) => on_turn(demand.turn, &|turn| {
            let code = if demand.absent { Code::ThinkingLeftOn } else { Code::ThinkingDiffers };
            text::thought(code, demand, turn)
        }),
        Check::Refusal(demand) => match &observation.ending {
            Ending::Refused(refusal) => {
                text::check("refusal", Code::RefusalDiffers, demand, Some(&refusal.message))
                    .into_iter()
                    .map(|finding| Finding { layer: refusal.layer, ..finding })
                    .collect()
            }
            _ if demand.absent => Vec::new(),
            _ => vec![Finding::new(Code::RefusalDiffers, "the subject did not refuse")],
        },
        Check::Tokens(demand) => on_turn(demand.turn, &|turn| tokens::pieces(demand, turn)),
        Check::Bos(demand) => on_turn(demand.turn, &|turn| on_load(&|load| tokens::bos(demand, turn, load))),
        Check::ControlTokens(demand) => on_turn(0, &|turn| tokens::control(demand, turn)),
        Check::Stop(demand) => on_turn(demand.turn, &|turn| stop::check(demand, turn)),
        Check::Generated(demand) => on_turn(demand.turn, &|turn| {
            count::check("tokens generated", Code::GeneratedCount, demand, turn.generated.len())
        }),
        Check::Vocab(demand) => on_load(&|load| vocab::check(demand, load)),
        Check::Golden {} => expected
            .iter()
            .flat_map(|expected| compare(observation, expected.observation, expected.name, tolerance))
            .collect(),
        Check::SameTurns(demand) => turns::same(*demand, &observation.turns),
        Check::SwitchedPrompts(demand) => turns::switched(*demand, &observation.turns),
        Check::Remembered(demand) => on_turn(demand.turn, &|turn| memory::remembered(demand, turn)),
        Check::Forgotten(demand) => on_turn(demand.turn, &|turn| memory::forgotten(demand, turn)),
        Check::Memory(demand) => on_turn(demand.turn, &|turn| memory::state(demand, turn)),
        Check::Overflow(demand) => match &request.stimulus {
            Stimulus::Converse(spec) => memory::overflow(*demand, spec, observation),
            _ => vec![Finding::new(Code::ObservationIncomplete, "only a conversation can overflow")],
        },
    }
}
