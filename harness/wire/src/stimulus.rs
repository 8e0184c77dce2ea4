//! What a subject is asked to do.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{ContextConfig, Message, Piece, Sampling, TemplateEngine, ThinkingTags, Weights};

/// One thing to do. In JSON the variant is the only key: `{"render": {…}}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Stimulus {
    /// Turn messages into a prompt, and, where the request names a model, into tokens.
    Render(Chat),
    /// Turn text into tokens.
    Tokenize(Tokenize),
    /// Answer one prompt.
    Generate(Generate),
    /// Hold a conversation.
    Converse(Converse),
    /// Compute the distribution after each given token.
    Score(Score),
    /// Load the model and make a context, under the request's limits.
    Load(Load),
    /// Say what the model file and its vocabulary hold.
    Inspect {},
    /// Feed a scripted token stream to the stop and thinking parsers; no model runs.
    Stream(Stream),
}

impl Stimulus {
    /// The variant's name in case files.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Render(_) => "render",
            Self::Tokenize(_) => "tokenize",
            Self::Generate(_) => "generate",
            Self::Converse(_) => "converse",
            Self::Score(_) => "score",
            Self::Load(_) => "load",
            Self::Inspect {} => "inspect",
            Self::Stream(_) => "stream",
        }
    }
}

/// A conversation and how to render it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Chat {
    /// The messages, oldest first.
    pub messages: Vec<Message>,
    /// For [`Stimulus::Render`] alone: instead of `messages`, messages in OpenAI's full form, with content in parts,
    /// tool calls, and whatever else a template looks for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub openai_messages: Vec<Value>,
    /// A Jinja template to use instead of the model's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// What renders it.
    pub engine: TemplateEngine,
    /// End with the tokens that open the assistant's turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub add_generation_prompt: Option<bool>,
    /// Further template variables, for example `enable_thinking`.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub variables: Map<String, Value>,
    /// For [`Stimulus::Render`] alone: render again with each of these variables beside `variables`, each as a
    /// further turn of the observation, so that what a variable changes can be seen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<Map<String, Value>>,
}

impl Chat {
    /// Whether the prompt ends with the opening of the assistant's turn: yes unless the case says no.
    pub fn generation_prompt(&self) -> bool {
        self.add_generation_prompt.unwrap_or(true)
    }
}

/// Text to turn into tokens, with llama.cpp's two switches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tokenize {
    /// The text.
    pub text: String,
    /// Add BOS and EOS where the model's vocabulary asks for them.
    #[serde(default)]
    pub add_special: bool,
    /// Turn the text of control tokens into those tokens.
    #[serde(default)]
    pub parse_special: bool,
}

/// Where a prompt comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Prompt {
    /// Rendered by a chat template; control tokens in message text stay text.
    Chat(Chat),
    /// Raw text, tokenised with BOS and with control tokens parsed.
    Text(String),
    /// Token ids as they are.
    Tokens(Vec<i32>),
}

/// One answer to one prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Generate {
    /// What to answer.
    pub prompt: Prompt,
    /// Most tokens to generate, the thinking included.
    pub max_tokens: u32,
    /// How tokens are chosen.
    #[serde(default)]
    pub sampling: Sampling,
    /// Strings that end the answer and are not part of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stop_strings: Vec<String>,
    /// How thought and answer are told apart; `None`: everything is answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<ThinkingTags>,
    /// Observe the distribution from which each token was chosen.
    #[serde(default)]
    pub score: bool,
}

/// A conversation of several turns in one context.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Converse {
    /// What the user says, turn by turn.
    pub turns: Vec<ConverseTurn>,
    /// What happens to the KV cache between turns.
    pub memory: ConverseMemory,
    /// What of the earlier turns is rendered into the next prompt.
    pub history: History,
    /// Said before the first turn and sent again wherever history is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// Most tokens to generate in one turn.
    pub max_tokens: u32,
    /// How to render; its `messages` stay empty.
    #[serde(default)]
    pub chat: Chat,
    /// How thought and answer are told apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<ThinkingTags>,
    /// Also decode the EOG token that ended a turn, as some wrappers do; it moves the overflow by one.
    #[serde(default)]
    pub decode_eog: bool,
    /// Observe the distribution from which each token was chosen.
    #[serde(default)]
    pub score: bool,
}

/// One turn of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ConverseTurn {
    /// What the user says.
    pub user: String,
}

/// What a wrapper does with the KV cache between turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ConverseMemory {
    /// Nothing: positions go on where the last turn ended.
    Kept,
    /// `llama_memory_clear(data = true)`.
    Cleared,
    /// `llama_memory_clear(data = false)`: cells are forgotten, their bytes stay.
    ClearedMetadata,
    /// When the context is full, the oldest half is removed and the rest moves down.
    Shifted,
}

/// What of the earlier turns the next prompt carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum History {
    /// All messages so far, rendered anew.
    Sent,
    /// The last user message alone.
    LastOnly,
}

/// Teacher-forced scoring.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// What to score: one distribution after each of its tokens but those that are `unscored`.
    pub prompt: Prompt,
    /// Which of llama.cpp's paths computes it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub path: ScorePath,
    /// Positions left out between one `llama_decode` call and the next. With any, the next batch doesn't continue.
    #[serde(default, skip_serializing_if = "is_default")]
    pub gap: u32,
    /// How many sequences are computed in the same batches. The first one is observed; the others hold the same tokens
    /// in another order, and must not matter.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub sequences: u32,
    /// So many tokens at the beginning are context alone: no distribution is observed after them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unscored: u32,
    /// Score once for each of these ways to have the weights, each as a turn; none: once, as the configuration says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ways: Vec<Weights>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

const fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_one(count: &u32) -> bool {
    *count == 1
}

/// How scored tokens reach the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ScorePath {
    /// In batches of up to `n_batch`.
    #[default]
    Prefill,
    /// One `llama_decode` call a token.
    TokenByToken,
}

/// Loading, and no more.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Load {
    /// Make a context too.
    pub context: bool,
    /// Instead of the request's own context parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_config: Option<ContextConfig>,
    /// Note what llama.cpp says that it has allocated, by buffer; with a context only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub memory: bool,
}

/// A scripted token stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Stream {
    /// The bytes of one token after the other.
    pub pieces: Vec<Piece>,
    /// The id of each piece; left out: 0, 1, 2 …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<i32>,
    /// Token ids that end the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub eog: Vec<i32>,
    /// Strings that end the answer and are not part of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stop_strings: Vec<String>,
    /// How thought and answer are told apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<ThinkingTags>,
    /// Most tokens to take from the script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
}
