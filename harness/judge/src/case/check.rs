//! What a case can demand of an observation. Data only; [`crate::check`] does the comparing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wire::StopReason;

/// One demand. In JSON the variant is the only key: `{"answer": {"equals": "Paris"}}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Check {
    /// The rendered prompt.
    Prompt(TextCheck),
    /// The answer: thought, stop string and end-of-generation token taken off.
    Answer(TextCheck),
    /// The thought.
    Thinking(TextCheck),
    /// The message of a refusal.
    Refusal(TextCheck),
    /// The prompt's token ids.
    Tokens(TokensCheck),
    /// How many BOS tokens the prompt begins with.
    Bos(CountCheck),
    /// How often each of these control tokens stands in the prompt, each as one token.
    ControlTokens(std::collections::BTreeMap<String, usize>),
    /// Why a turn ended.
    Stop(StopCheck),
    /// How many tokens a turn generated, the ending one included.
    Generated(CountCheck),
    /// What the model file and its vocabulary hold.
    Vocab(VocabCheck),
    /// The golden snapshot of this case and model, and the live reference where one runs.
    Golden {},
    /// The live reference alone, where one runs: for what has no golden.
    Live {},
    /// Two turns of one conversation that must not differ in prompt, numbers or answer.
    SameTurns(TurnsCheck),
    /// Two renderings whose prompts must differ: the switch between them does something.
    SwitchedPrompts(TurnsCheck),
    /// Something that the model must still know in a turn.
    Remembered(WordCheck),
    /// Something that the model must not know in a turn: it was said in another conversation.
    Forgotten(WordCheck),
    /// The turn in which the context is full, as predicted from the turns' sizes.
    Overflow(OverflowCheck),
    /// The positions in the KV cache after a turn.
    Memory(MemoryCheck),
}

/// Demands on a text; all that are given must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TextCheck {
    /// Which turn, from 0.
    pub turn: usize,
    /// It is exactly this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equals: Option<String>,
    /// It contains this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contains: Option<String>,
    /// It does not contain this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_contains: Option<String>,
    /// It begins with this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starts_with: Option<String>,
    /// It ends with this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends_with: Option<String>,
    /// There is none.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub absent: bool,
}

/// Demands on token ids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TokensCheck {
    /// Which turn, from 0.
    #[serde(default)]
    pub turn: usize,
    /// The texts of all tokens, one after the other.
    pub equals: Vec<wire::Piece>,
}

/// Demands on a number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CountCheck {
    /// Which turn, from 0.
    pub turn: usize,
    /// It is exactly this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equals: Option<usize>,
    /// It is at least this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<usize>,
    /// It is at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<usize>,
}

/// Demands on why a turn ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StopCheck {
    /// Which turn, from 0.
    #[serde(default)]
    pub turn: usize,
    /// The reason.
    pub reason: StopReason,
    /// The text of the token that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// The string that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub string: Option<String>,
}

/// Demands on the vocabulary; all that are given must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct VocabCheck {
    /// Texts of tokens that must end generation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub eog: Vec<String>,
    /// Texts of tokens that must not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_eog: Vec<String>,
    /// Whether BOS is added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub add_bos: Option<bool>,
    /// The chat template reaches the app whole, as long as the file says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template_bytes: Option<usize>,
    /// The text of the token that `llama_vocab_eot` names; `""` for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eot: Option<String>,
    /// Whether positions can be shifted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub can_shift: Option<bool>,
    /// Tokens of context that a sequence really has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_ctx: Option<u32>,
}

/// Two turns of one conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnsCheck {
    /// One turn, from 0.
    pub first: usize,
    /// The other.
    pub second: usize,
}

/// A word in a turn's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WordCheck {
    /// Which turn, from 0.
    pub turn: usize,
    /// The word.
    pub word: String,
}

/// Where a conversation whose memory is kept runs out of context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OverflowCheck {
    /// The first turn that does not fit, from 0.
    pub turn: usize,
}

/// Demands on the KV cache after a turn; all that are given must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryCheck {
    /// Which turn, from 0.
    pub turn: usize,
    /// Smallest position, −1 for an empty cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pos_min: Option<i32>,
    /// Largest position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pos_max: Option<i32>,
    /// No position beyond this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<i32>,
}
