//! Which layer is to blame.
//!
//! The layers of a runtime stand one on the other. Where several findings come together, the one at the first
//! layer is the cause to look at, and the later ones are its consequences. Pure.

use serde::{Deserialize, Serialize};
use wire::{Layer, Observation};

use crate::finding::{Code, Finding, entry};

/// The layer to blame, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blame {
    /// The layer.
    pub layer: Layer,
    /// The finding that blames it.
    pub code: Code,
    /// What is known, what it means, what follows from it.
    pub sentence: String,
    /// What to try next.
    pub next: String,
}

/// Blames the first layer among `findings`; `reference` is what the observation was compared with.
pub fn triage(
    findings: &[Finding],
    observation: &Observation,
    reference: Option<&Observation>,
) -> Option<Blame> {
    let first = findings.iter().min_by_key(|finding| (finding.code.is_remark(), finding.layer))?;
    let entry = entry(first.code);
    let mut sentence = String::new();
    let agreed = agreed_before(first.layer, observation, reference);
    if !agreed.is_empty() {
        sentence.push_str(&format!("{} agree; ", join(&agreed)));
    }
    sentence.push_str(&format!("{}: {}", first.message, entry.meaning));
    let consequences = consequences(findings, first);
    if !consequences.is_empty() {
        let verb = if consequences.len() == 1 { "is a consequence" } else { "are consequences" };
        sentence.push_str(&format!("; {} {verb}", join(&consequences)));
    }
    Some(Blame { layer: first.layer, code: first.code, sentence, next: entry.cure.clone() })
}

/// What was compared with a reference and found equal, before `layer`.
fn agreed_before(layer: Layer, ours: &Observation, reference: Option<&Observation>) -> Vec<String> {
    let Some(reference) = reference else { return Vec::new() };
    let has = |any: fn(&wire::Turn) -> bool| ours.turns.iter().any(any) && reference.turns.iter().any(any);
    let compared = [
        (Layer::Template, "prompt", has(|turn| turn.prompt.is_some())),
        (Layer::Tokens, "tokens", has(|turn| !turn.prompt_tokens.is_empty())),
        (Layer::Prefill, "prompt logits", has(|turn| !turn.prefill.is_empty())),
        (Layer::Decode, "logits", has(|turn| !turn.decode.is_empty())),
        (Layer::Stop, "the end", has(|turn| turn.stop.is_some())),
    ];
    let before = compared.iter().filter(|(at, _, there)| *at < layer && *there);
    before.map(|(_, name, _)| (*name).to_owned()).collect()
}

fn consequences(findings: &[Finding], cause: &Finding) -> Vec<String> {
    let mut titles: Vec<String> = Vec::new();
    for finding in findings.iter().filter(|finding| finding.layer > cause.layer && !finding.code.is_remark())
    {
        let title = format!("\"{}\"", entry(finding.code).title);
        if !titles.contains(&title) {
            titles.push(title);
        }
    }
    titles
}

fn join(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use wire::{Ending, Stop, StopReason, Token, TokenKind, Turn};

    use super::*;

    #[test]
    fn the_first_layer_is_the_cause_and_the_rest_follows() {
        let mut observation = Observation::ended(Ending::Completed);
        observation.turns.push(Turn {
            prompt: Some("p".into()),
            prompt_tokens: vec![Token { id: 1, piece: "p".into(), kind: TokenKind::Normal }],
            stop: Some(Stop { reason: StopReason::Length, token: None, string: None }),
            ..Turn::default()
        });
        let findings = [
            Finding::new(Code::NeverEnded, "ended for the reason length"),
            Finding::at(Layer::Prefill, Code::LogitsDiffer, "the logits differ from prompt position 1 on"),
        ];
        let blame = triage(&findings, &observation, Some(&observation)).unwrap();
        assert_eq!((blame.layer, blame.code), (Layer::Prefill, Code::LogitsDiffer));
        assert_eq!(
            blame.sentence,
            "prompt and tokens agree; the logits differ from prompt position 1 on: the backend computes wrong \
             numbers; \"no end within max_tokens\" is a consequence"
        );
    }

    #[test]
    fn no_finding_no_blame() {
        assert_eq!(triage(&[], &Observation::ended(Ending::Completed), None), None);
    }
}
