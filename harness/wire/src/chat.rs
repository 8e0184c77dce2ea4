//! The vocabulary of a chat: messages, template engines, thinking tags, sampling.

use serde::{Deserialize, Serialize};

/// One message of a conversation, in OpenAI's form.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// `system`, `user`, `assistant`, `tool`, or whatever the template knows.
    pub role: String,
    /// The text, exactly as the user or the model wrote it.
    pub content: String,
}

impl Message {
    /// A message of `role` that says `content`.
    pub fn new(role: impl Into<String>, content: impl Into<String>) -> Self {
        Self { role: role.into(), content: content.into() }
    }
}

/// What turns messages into a prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TemplateEngine {
    /// `llama_chat_apply_template`: no Jinja engine, it matches substrings of templates that it knows.
    Builtin,
    /// The `minijinja` crate with Python-compatible methods, set up as Hugging Face transformers sets up Jinja.
    #[default]
    Minijinja,
    /// llama.cpp's own Jinja engine, as llama-server uses it (`common/jinja`).
    Jinja,
}

impl TemplateEngine {
    /// The name used in case files, cards and flags.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::Minijinja => "minijinja",
            Self::Jinja => "jinja",
        }
    }
}

/// The strings between which a model thinks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ThinkingTags {
    /// Opens a thought, for example `<think>` or `<|channel>thought`.
    pub open: String,
    /// Closes a thought, for example `</think>` or `<channel|>`.
    pub close: String,
}

/// How the next token is chosen. Free-running text is compared on one device only, so greedy is enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Sampling {
    /// The token with the highest logit; the lowest id on a tie.
    #[default]
    Greedy,
}
