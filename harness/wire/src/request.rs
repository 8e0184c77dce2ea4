//! One question to a subject.

use serde::{Deserialize, Serialize};

use crate::{Config, Stimulus, Watch};

/// One question. The answer is one [`crate::Observation`] that carries the same `id`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Chosen by the harness, repeated in the reply.
    pub id: u64,
    /// The model to ask; `None` for a stimulus that needs none (a scripted stream, a template given as text).
    pub model: Option<ModelSpec>,
    /// A LoRA adapter that is applied to the model, at its own scale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<ModelSpec>,
    /// How to load it and make a context.
    #[serde(default)]
    pub config: Config,
    /// What to do with it.
    pub stimulus: Stimulus,
    /// What the subject may use.
    #[serde(default)]
    pub limits: Limits,
    /// Teacher forcing: the tokens that "were sampled", in order, whatever the subject's own choice would be.
    /// Its own logits are observed all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forced_tokens: Option<Vec<i32>>,
    /// Whether earlier requests may have used the same context.
    #[serde(default)]
    pub isolation: Isolation,
    /// A look at the graph of one `llama_decode` call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watch: Option<Watch>,
}

/// A model file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelSpec {
    /// The name in models.json, or the file's stem.
    pub name: String,
    /// Where the subject finds the GGUF file.
    pub path: String,
}

/// What a request may use up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// `RLIMIT_AS` in bytes beyond what the process already has mapped, set before the model is loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address_space: Option<u64>,
    /// Leave only this many bytes of address space: reserve the rest without access (works where `RLIMIT_AS`
    /// does not).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balloon: Option<u64>,
}

/// Whether a request may meet what an earlier one left behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// The context may be reused; its memory is cleared first.
    #[default]
    Shared,
    /// A new context for this request.
    Fresh,
}
