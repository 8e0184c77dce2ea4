//! The answer to one request.

use serde::{Deserialize, Serialize};

use crate::{DeviceState, Graph, LoadEvidence, Node, Turn};

/// What was seen. A refusal, a crash, a hang are observations too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Observation {
    /// How it ended.
    pub ending: Ending,
    /// What loading showed, where a model was loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<LoadEvidence>,
    /// What each turn showed; one for every stimulus but a conversation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<Turn>,
    /// Where the graph's nodes ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Node>,
    /// Model loads that this worker has made so far.
    #[serde(default, skip_serializing_if = "is_default")]
    pub loads: u32,
    /// Time spent inside llama.cpp.
    #[serde(default, skip_serializing_if = "is_default")]
    pub timing: Timing,
    /// The last lines that llama.cpp logged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub log_tail: Vec<String>,
    /// What a fault that is switched on did to the logits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault_effect: Option<FaultEffect>,
    /// What the call that the request watches computed; `None` where it came to no such call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<Graph>,
    /// How the phone was meanwhile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceState>,
}

/// What a fault really did to the logits, measured against a sound computation beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultEffect {
    /// Positions that were compared.
    pub positions: u32,
    /// Σ(broken − sound)² / Σ sound² over the finite logits, at the worst position.
    pub nmse: f64,
    /// Logits that are not finite, over all positions.
    pub not_finite: u32,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Observation {
    /// An observation that holds nothing but how it ended.
    pub fn ended(ending: Ending) -> Self {
        Self {
            ending,
            load: None,
            turns: Vec::new(),
            nodes: Vec::new(),
            loads: 0,
            timing: Timing::default(),
            log_tail: Vec::new(),
            fault_effect: None,
            graph: None,
            device: None,
        }
    }
}

/// How a request ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The stimulus ran to its end.
    Completed,
    /// The subject said no, and where.
    Refused(Refusal),
    /// The process died. Filled in by the harness, never by a probe.
    Died {
        /// The signal, where one killed it.
        signal: Option<i32>,
        /// The exit code, where it exited.
        exit_code: Option<i32>,
    },
    /// Nothing came before the deadline. Filled in by the harness.
    Hung {
        /// The deadline in milliseconds.
        deadline_ms: u64,
    },
    /// What came was no reply. Filled in by the harness.
    Garbled {
        /// What was wrong with it.
        problem: String,
        /// Its beginning.
        excerpt: String,
    },
}

/// A subject's "no".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refusal {
    /// Where it was said.
    pub layer: Layer,
    /// What kind of no.
    pub code: RefusalCode,
    /// The subject's own words.
    pub message: String,
}

/// Kinds of refusal, stable names for case files and findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RefusalCode {
    /// The model file could not be loaded.
    LoadFailed,
    /// Mapping the file failed for want of address space.
    MmapFailed,
    /// A buffer could not be allocated.
    AllocationFailed,
    /// No context could be made.
    ContextFailed,
    /// The file has no chat template and the request brought none.
    NoTemplate,
    /// The builtin engine does not know this template (it returned −1).
    TemplateUnsupported,
    /// The template raised an error of its own, or is no valid template.
    TemplateError,
    /// Text could not be tokenised.
    TokenizeFailed,
    /// The prompt is longer than the context.
    PromptTooLong,
    /// The memory cannot shift positions.
    CannotShift,
    /// This engine cannot do what was asked.
    Unsupported,
    /// The request makes no sense (no tokens, a token outside the vocabulary).
    BadRequest,
}

impl RefusalCode {
    /// The name used in case files and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LoadFailed => "load-failed",
            Self::MmapFailed => "mmap-failed",
            Self::AllocationFailed => "allocation-failed",
            Self::ContextFailed => "context-failed",
            Self::NoTemplate => "no-template",
            Self::TemplateUnsupported => "template-unsupported",
            Self::TemplateError => "template-error",
            Self::TokenizeFailed => "tokenize-failed",
            Self::PromptTooLong => "prompt-too-long",
            Self::CannotShift => "cannot-shift",
            Self::Unsupported => "unsupported",
            Self::BadRequest => "bad-request",
        }
    }
}

/// The layers of a local LLM runtime, in the order of blame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    /// Model file, address space, buffers, context.
    Load,
    /// Messages to prompt.
    Template,
    /// Prompt to tokens.
    Tokens,
    /// The prompt's computation.
    Prefill,
    /// The computation of each further token.
    Decode,
    /// The choice of a token.
    Sampling,
    /// Knowing when to end.
    Stop,
    /// Thought and answer told apart.
    Parse,
    /// Bytes to text.
    Text,
    /// What is carried from turn to turn.
    Turns,
    /// The KV cache between turns.
    Memory,
}

impl Layer {
    /// All layers, the first to blame first.
    pub const ALL: [Self; 11] = [
        Self::Load,
        Self::Template,
        Self::Tokens,
        Self::Prefill,
        Self::Decode,
        Self::Sampling,
        Self::Stop,
        Self::Parse,
        Self::Text,
        Self::Turns,
        Self::Memory,
    ];

    /// The name used in case files, folders and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Template => "template",
            Self::Tokens => "tokens",
            Self::Prefill => "prefill",
            Self::Decode => "decode",
            Self::Sampling => "sampling",
            Self::Stop => "stop",
            Self::Parse => "parse",
            Self::Text => "text",
            Self::Turns => "turns",
            Self::Memory => "memory",
        }
    }
}

/// Microseconds spent inside llama.cpp, measured around its calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Timing {
    /// Loading the model and making the context; 0 where both were reused.
    pub load_us: u64,
    /// Tokenising, decoding, reading logits.
    pub compute_us: u64,
}
