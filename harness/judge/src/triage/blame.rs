//! The cause among findings.

use serde::{Deserialize, Serialize};
use wire::{Layer, Observation};

use super::sentence::sentence;
use crate::finding::{Code, Finding, entry};

/// What stands in [`Blame::next`] before the command that traces wrong numbers, in backticks, to a node of the graph.
pub const FIND_THE_OPERATOR: &str = "; find the operator: ";

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

/// Blames the first cause among `findings`; `reference` is what the observation was compared with.
pub fn triage(
    findings: &[Finding],
    observation: &Observation,
    reference: Option<&Observation>,
) -> Option<Blame> {
    let cause = findings.iter().min_by_key(|finding| rank(finding))?;
    let others: Vec<&Finding> =
        findings.iter().filter(|finding| finding.code != cause.code && !finding.code.is_remark()).collect();
    Some(Blame {
        layer: cause.layer,
        code: cause.code,
        sentence: sentence(cause, &others, observation, reference),
        next: entry(cause.code).cure.clone(),
    })
}

/// The smaller, the earlier in the chain of causes: remarks on the case last, what concerns no single turn first,
/// then turn by turn what it began with and then layer by layer.
fn rank(finding: &Finding) -> (bool, Option<usize>, bool, Layer) {
    (finding.code.is_remark(), finding.turn, !finding.code.is_carried(), finding.layer)
}

#[cfg(test)]
mod tests {
    use wire::{Ending, Stop, StopReason, Token, TokenKind, Turn};

    use super::*;

    fn observation(turns: usize) -> Observation {
        let turn = Turn {
            prompt: Some("p".into()),
            prompt_tokens: vec![Token { id: 1, piece: "p".into(), kind: TokenKind::Normal }],
            stop: Some(Stop { reason: StopReason::Length, token: None, string: None }),
            ..Turn::default()
        };
        Observation { turns: vec![turn; turns], ..Observation::ended(Ending::Completed) }
    }

    /// Findings as layer, code, turn, message; the sentence that they make.
    fn check(findings: &[(Layer, Code, usize, &str)], turns: usize, layer: Layer, sentence: &str) {
        let findings: Vec<Finding> = findings
            .iter()
            .map(|&(layer, code, turn, message)| {
                Finding::at(layer, code, format!("turn {turn}: {message}")).in_turn(turn)
            })
            .collect();
        let observation = observation(turns);
        let blame = triage(&findings, &observation, Some(&observation)).unwrap();
        assert_eq!((blame.layer, blame.sentence.as_str()), (layer, sentence));
    }

    #[test]
    fn the_first_layer_is_the_cause_and_the_rest_follows() {
        check(
            &[
                (Layer::Stop, Code::NeverEnded, 0, "ended for the reason length"),
                (
                    Layer::Prefill,
                    Code::LogitsDiffer,
                    0,
                    "logits differ from the first prompt token on (NMSE 0.83)",
                ),
                (Layer::Load, Code::FaultActive, 0, "a fault"),
            ],
            1,
            Layer::Prefill,
            "prompt and tokens agree; logits differ from the first prompt token on (NMSE 0.83): the backend computes \
             wrong numbers; the missing end of turn is a consequence",
        );
    }

    #[test]
    fn what_agrees_is_only_what_shows_nothing_wrong() {
        check(
            &[
                (Layer::Memory, Code::MemoryInconsistent, 0, "it holds positions 0 to 41"),
                (Layer::Prefill, Code::LogitsDiffer, 0, "logits differ"),
                (Layer::Text, Code::TextDiffers, 0, "another answer"),
            ],
            1,
            Layer::Memory,
            &format!(
                "prompt and tokens agree; it holds positions 0 to 41: {}; the difference in the logits and the other answer are \
                 consequences",
                entry(Code::MemoryInconsistent).meaning
            ),
        );
    }

    #[test]
    fn the_first_turn_comes_before_the_first_layer() {
        check(
            &[
                (Layer::Template, Code::PromptDiffers, 1, "another prompt"),
                (Layer::Text, Code::TextDiffers, 0, "another answer"),
            ],
            2,
            Layer::Text,
            &format!(
                "prompt, tokens and the end agree; in turn 0, another answer: {}; the other prompt is a consequence",
                entry(Code::TextDiffers).meaning
            ),
        );
        check(
            &[
                (Layer::Template, Code::PromptDiffers, 1, "another prompt"),
                (Layer::Turns, Code::HistoryLost, 1, "the prompt lacks what was said"),
            ],
            2,
            Layer::Turns,
            &format!(
                "in turn 1, the prompt lacks what was said: {}; the other prompt is a consequence",
                entry(Code::HistoryLost).meaning
            ),
        );
    }

    #[test]
    fn no_finding_no_blame() {
        assert_eq!(triage(&[], &Observation::ended(Ending::Completed), None), None);
    }
}
