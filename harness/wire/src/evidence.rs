//! What was seen, layer by layer.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Piece, Position};

/// What loading a model showed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LoadEvidence {
    /// `general.architecture`.
    pub architecture: String,
    /// Tokens in the vocabulary.
    pub n_vocab: i32,
    /// Layers.
    pub n_layer: i32,
    /// Context that the model was trained for.
    pub n_ctx_train: i32,
    /// Context that a sequence really has: `llama_n_ctx_seq`; `None` where no context was made.
    pub n_ctx: Option<u32>,
    /// Sliding window in tokens; 0 for none.
    pub n_swa: i32,
    /// Whether the model keeps a recurrent state, wholly or in part: such memory is no list of cells, does not run
    /// full at `n_ctx`, and cannot be cut.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub recurrent: bool,
    /// Whether the memory can shift positions.
    pub can_shift: Option<bool>,
    /// Length in bytes of the chat template in the file; `None` where there is none.
    pub template_bytes: Option<usize>,
    /// The chat template, read whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// Whether the vocabulary asks for BOS in front.
    pub add_bos: bool,
    /// BOS, −1 for none.
    pub bos: i32,
    /// EOS, −1 for none.
    pub eos: i32,
    /// What `llama_vocab_eot` says, −1 for none.
    pub eot: i32,
    /// Every id for which `llama_vocab_is_eog` says yes, ascending.
    pub eog: Vec<i32>,
    /// Tokens that are control or user-defined, ascending by id; only [`crate::Stimulus::Inspect`] fills it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub special: Vec<VocabToken>,
    /// Metadata keys of the file that are no arrays; only [`crate::Stimulus::Inspect`] fills it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
    /// What llama.cpp says that it has allocated; only [`crate::Load::memory`] fills it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<BufferMemory>,
}

/// What one kind of buffer holds, in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BufferMemory {
    /// ggml's name of the buffer type, for example `CPU` or `CPU_REPACK`.
    pub buffer: String,
    /// The model's weights.
    pub model: u64,
    /// The context's cache and states.
    pub context: u64,
    /// What graphs are computed in.
    pub compute: u64,
}

/// A token of the vocabulary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VocabToken {
    /// Token id.
    pub id: i32,
    /// Its text in the vocabulary.
    pub text: String,
    /// What it is.
    pub kind: TokenKind,
    /// Whether it ends generation.
    #[serde(default)]
    pub eog: bool,
}

/// A token of a prompt or an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// Token id.
    pub id: i32,
    /// The bytes that it renders to with special tokens shown.
    pub piece: Piece,
    /// What it is.
    #[serde(default, skip_serializing_if = "TokenKind::is_normal")]
    pub kind: TokenKind,
}

/// `llama_token_attr`, reduced to what matters in a chat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TokenKind {
    /// Text.
    #[default]
    Normal,
    /// A control token: never made from user text unless special parsing is on.
    Control,
    /// A user-defined token: made from text always.
    UserDefined,
    /// One byte.
    Byte,
    /// Unknown or unused.
    Other,
}

impl TokenKind {
    /// Whether this is plain text.
    pub fn is_normal(&self) -> bool {
        *self == Self::Normal
    }
}

/// What one turn showed, from prompt to text. A field that the stimulus does not reach stays empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Turn {
    /// The rendered prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The prompt's tokens.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prompt_tokens: Vec<Token>,
    /// Distributions at the prompt's positions: all of them for a score, the last one before generating.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prefill: Vec<Position>,
    /// Every `llama_decode` call, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decode_calls: Vec<DecodeCall>,
    /// The tokens that were chosen (or forced), the one that ended the turn included.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub generated: Vec<Token>,
    /// What the subject itself would have chosen at each step; differs from `generated` only under teacher forcing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chosen: Vec<i32>,
    /// Distributions after each generated token that was decoded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decode: Vec<Position>,
    /// Why the turn ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<Stop>,
    /// Tokens that belong to the thought, tags included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking_tokens: Option<u32>,
    /// The text of the thought; `None` where the stimulus does not split, or none was opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking: Option<String>,
    /// The answer's text, thought and stop string taken off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The chunks in which the answer was streamed; joined they are the answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chunks: Vec<String>,
    /// The memory after the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryState>,
}

/// One call of `llama_decode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecodeCall {
    /// Position of the batch's first token.
    pub pos: i32,
    /// Tokens of the observed sequence in the batch.
    pub n_tokens: u32,
    /// What it returned: 0 ok, 1 no KV slot, 2 aborted, −1 invalid batch, below −1 fatal.
    pub code: i32,
}

/// Why a turn ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    /// The reason.
    pub reason: StopReason,
    /// The token that ended it, for [`StopReason::Eog`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<i32>,
    /// The string that ended it, for [`StopReason::StopString`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub string: Option<String>,
}

/// Why a turn can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// An end-of-generation token.
    Eog,
    /// A stop string.
    StopString,
    /// `max_tokens`.
    Length,
    /// The context was full: `llama_decode` returned 1.
    ContextFull,
    /// `llama_decode` failed otherwise.
    DecodeFailed,
    /// A scripted stream ran out.
    EndOfScript,
}

impl StopReason {
    /// The name used in case files and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Eog => "eog",
            Self::StopString => "stop-string",
            Self::Length => "length",
            Self::ContextFull => "context-full",
            Self::DecodeFailed => "decode-failed",
            Self::EndOfScript => "end-of-script",
        }
    }
}

/// The KV cache of sequence 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryState {
    /// Smallest position present, −1 when empty.
    pub pos_min: i32,
    /// Largest position present, −1 when empty.
    pub pos_max: i32,
}

/// Where one operation of the graph ran: operator, backend, how often.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// ggml's operator name, for example `MUL_MAT`.
    pub op: String,
    /// The backend whose buffer held the result.
    pub backend: String,
    /// How many nodes.
    pub count: u32,
}
