//! The evidence of one item.

use serde::{Deserialize, Serialize};
use wire::{Stop, Token};

use super::MemoryEvidence;

/// What was seen, and where it differs from what was expected.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// What it was compared with: "the golden", a subject's name, "the case".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compared_with: Option<String>,
    /// From which KL divergence on, in nats, a position is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kl_limit: Option<f64>,
    /// Turn by turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<TurnEvidence>,
    /// What was asked for and what there was, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryEvidence>,
}

/// One turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TurnEvidence {
    /// The rendered prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The prompt's first tokens.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prompt_tokens: Vec<Token>,
    /// How many tokens of the prompt are not shown.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub prompt_tokens_left_out: usize,
    /// The first tokens that were generated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub generated: Vec<Token>,
    /// How many generated tokens are not shown.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub generated_left_out: usize,
    /// The thought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<String>,
    /// The answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Why it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Stop>,
    /// What was expected instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expectation>,
    /// The distributions beside those that were expected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<PositionEvidence>,
}

/// What was expected, where something else was seen. What is left out is as it was seen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    /// The rendered prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The thought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<String>,
    /// The answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Why it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Stop>,
}

/// The distribution after one token, beside the one that was expected. Numbers have three digits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PositionEvidence {
    /// Position in the sequence of the token after which the distribution stands.
    pub pos: i32,
    /// That token's text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub after: String,
    /// A lower bound of KL(expected ‖ seen) in nats; left out where it is no finite number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kl: Option<f64>,
    /// Normalised mean squared error of the logits; left out where it is no finite number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nmse: Option<f64>,
    /// Logit of the most likely token less that of the next, as seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// The same, as expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_margin: Option<f64>,
    /// Whether another token was the most likely one than was expected.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub other_top: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}
