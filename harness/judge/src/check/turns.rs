//! Two turns that must be equal, or must differ.

use wire::Turn;

use super::excerpt::first_difference;
use crate::case::TurnsCheck;
use crate::finding::{Code, Finding};

/// Judges two turns: the same prompt must have had the same numbers, bit by bit, where they were asked for, and the same
/// answer.
pub(crate) fn same(demand: TurnsCheck, turns: &[Turn], numbers: bool) -> Vec<Finding> {
    let (Some(first), Some(second)) = (turns.get(demand.first), turns.get(demand.second)) else {
        let message = format!("only {} turns were observed", turns.len());
        return vec![Finding::new(Code::ObservationIncomplete, message)];
    };
    let names = format!("turns {} and {}", demand.first, demand.second);
    if first.prompt_tokens != second.prompt_tokens {
        let finding = Finding::new(Code::TurnDiffers, format!("{names} had other prompts"));
        return vec![finding.in_turn(demand.second)];
    }
    if numbers && first.prefill.is_empty() && first.decode.is_empty() {
        return vec![Finding::new(Code::ObservationIncomplete, format!("{names} show no distributions"))];
    }
    let mut problems = Vec::new();
    for (part, a, b) in
        [("prompt", &first.prefill, &second.prefill), ("answer", &first.decode, &second.decode)]
    {
        let differs = a.iter().zip(b).position(|(a, b)| a.top != b.top || a.sketch != b.sketch);
        if let Some(at) = differs.or((a.len() != b.len()).then_some(a.len().min(b.len()))) {
            let message = format!("{names} computed other numbers in the {part}, from its position {at} on");
            problems.push(Finding::new(Code::MemoryLeak, message).in_turn(demand.second));
        }
    }
    if first.answer != second.answer {
        let (a, b) =
            (first.answer.as_deref().unwrap_or_default(), second.answer.as_deref().unwrap_or_default());
        let message = format!("{names} were answered differently; {}", first_difference(a, b));
        problems.push(Finding::new(Code::TurnDiffers, message).in_turn(demand.second));
    }
    problems
}

/// Judges two renderings that differ in one switch alone: the switch must change the prompt.
pub(crate) fn switched(demand: TurnsCheck, turns: &[Turn]) -> Vec<Finding> {
    let prompt = |index: usize| turns.get(index).and_then(|turn| turn.prompt.as_ref());
    let (Some(first), Some(second)) = (prompt(demand.first), prompt(demand.second)) else {
        let message = format!("only {} renderings were observed", turns.len());
        return vec![Finding::new(Code::ObservationIncomplete, message)];
    };
    if first != second {
        return Vec::new();
    }
    let message = format!("renderings {} and {} are the same prompt", demand.first, demand.second);
    vec![Finding::new(Code::ThinkingSwitchIgnored, message)]
}
