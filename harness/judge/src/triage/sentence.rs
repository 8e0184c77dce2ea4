//! The words of a blame: what agrees, what is wrong, what follows.

use wire::{Layer, Observation, Turn};

use crate::finding::{Code, Finding, entry};

/// `prompt and tokens agree; logits differ …: the backend computes wrong numbers; the missing end of turn is a
/// consequence`.
pub(super) fn sentence(
    cause: &Finding,
    others: &[&Finding],
    observation: &Observation,
    reference: Option<&Observation>,
) -> String {
    let mut parts = Vec::new();
    let agreed = agreed(cause, others, observation, reference);
    if !agreed.is_empty() {
        let verb = if agreed == ["prompt"] { "agrees" } else { "agree" };
        parts.push(format!("{} {verb}", join(&agreed)));
    }
    parts.push(format!("{}: {}", told(cause, observation), entry(cause.code).meaning));
    let consequences = consequences(others);
    if !consequences.is_empty() {
        let verb = if consequences.len() == 1 { "is a consequence" } else { "are consequences" };
        parts.push(format!("{} {verb}", join(&consequences)));
    }
    parts.join("; ")
}

/// What was seen; of a single turn nobody needs to be told that it is turn 0.
fn told(cause: &Finding, observation: &Observation) -> String {
    let Some(turn) = cause.turn else { return cause.message.clone() };
    match cause.message.strip_prefix(&format!("turn {turn}: ")) {
        Some(message) if observation.turns.len() == 1 => message.to_owned(),
        Some(message) => format!("in turn {turn}, {message}"),
        None => cause.message.clone(),
    }
}

/// What was compared with the reference in the cause's turn, lies before the cause and shows nothing wrong.
fn agreed(
    cause: &Finding,
    others: &[&Finding],
    ours: &Observation,
    reference: Option<&Observation>,
) -> Vec<String> {
    let at = cause.turn.unwrap_or(0);
    let turns = ours.turns.get(at).zip(reference.and_then(|reference| reference.turns.get(at)));
    let Some((ours, reference)) = turns else { return Vec::new() };
    let both = |shows: fn(&Turn) -> bool| shows(ours) && shows(reference);
    let compared = [
        (Layer::Template, "prompt", both(|turn| turn.prompt.is_some())),
        (Layer::Tokens, "tokens", both(|turn| !turn.prompt_tokens.is_empty())),
        (Layer::Prefill, "the prompt's logits", both(|turn| !turn.prefill.is_empty())),
        (Layer::Decode, "the answer's logits", both(|turn| !turn.decode.is_empty())),
        (Layer::Stop, "the end", both(|turn| turn.stop.is_some())),
    ];
    let is_wrong = |layer: Layer| others.iter().any(|other| other.turn == cause.turn && other.layer <= layer);
    let before =
        compared.iter().filter(|(layer, _, there)| *layer < cause.layer && *there && !is_wrong(*layer));
    before.map(|(_, name, _)| (*name).to_owned()).collect()
}

fn consequences(others: &[&Finding]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for finding in others {
        let name = as_consequence(finding.code);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// A finding as something that follows from another.
fn as_consequence(code: Code) -> String {
    let words = match code {
        Code::BudgetSpentThinking => "the budget spent thinking",
        Code::ContextFull => "the full context",
        Code::EmptyAnswer => "the empty answer",
        Code::EogProbabilityDiffers => "the other probability of the end",
        Code::GeneratedCount => "the other length",
        Code::LogitsDiffer => "the difference in the logits",
        Code::NeverEnded => "the missing end of turn",
        Code::PromptDiffers => "the other prompt",
        Code::SamplingDiffers => "the other choice of a token",
        Code::StopDiffers => "the other end",
        Code::TextDiffers => "the other answer",
        Code::ThinkingDiffers => "the other thought",
        Code::TokensDiffer => "the difference in the tokens",
        Code::TurnDiffers => "the difference between turns",
        _ => return format!("\"{}\"", entry(code).title),
    };
    words.to_owned()
}

fn join(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
