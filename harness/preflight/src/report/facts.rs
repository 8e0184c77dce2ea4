//! The parts of a report, in types of their own.

use gguf::TensorType;
use gguf::memory::{TypeShare, Weights};
use serde::Serialize;

use crate::device::Limit;
use crate::rule::{Code, Situation};
use crate::{Compute, Need};

/// One limit, and how much of it is needed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// The rule that watches it.
    pub code: Code,
    /// What it is, in words.
    pub what: &'static str,
    /// Bytes that are needed.
    pub needs: u64,
    /// The limit for this app.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// The limit with the entitlement, where that is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entitled: Option<Limit>,
}

/// The model, as the report names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ModelFacts {
    /// Its name.
    pub name: String,
    /// `general.architecture`.
    pub architecture: String,
    /// Bytes of all files.
    pub file_bytes: u64,
    /// How many files.
    pub files: usize,
    /// The context that it was trained for.
    pub n_ctx_train: u64,
    /// Its window, where some layers have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sliding_window: Option<u64>,
    /// Bytes of its weights.
    pub weight_bytes: u64,
    /// Bytes by element type, the largest share first.
    pub types: Vec<Share>,
    /// Kinds of tensors that are of several types.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mixed: Vec<Mixed>,
}

/// What one element type takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Share {
    /// ggml's name of it.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// How many tensors.
    pub tensors: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// A kind of tensor that is of several types.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mixed {
    /// Its name, `*` for the block's number.
    pub tensor: String,
    /// The types.
    pub types: Vec<Share>,
}

/// The context and what it takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ContextFacts {
    /// Tokens that a sequence has room for.
    pub n_ctx: u64,
    /// Whether nobody said so.
    pub assumed: bool,
    /// Element type of the keys.
    pub type_k: &'static str,
    /// Element type of the values.
    pub type_v: &'static str,
    /// Bytes of the cache and the states, as llama.cpp allocates them.
    pub cache_bytes: u64,
    /// Of that, states that do not grow.
    pub state_bytes: u64,
    /// Bytes by which one more token of context makes the cache larger.
    pub bytes_per_token: u64,
    /// The compute buffer.
    pub compute: Compute,
    /// The longest context that fits, where a limit is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest: Option<u64>,
}

/// Experts and what a token reads.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Streaming {
    /// Bytes of weights that one token reads.
    pub bytes_per_token: u64,
    /// Share of the weights that are experts, 0 to 1.
    pub experts_share: f64,
    /// Experts in a layer.
    pub experts: u64,
    /// Experts that a token is sent to in a layer.
    pub used: u64,
    /// Reads for one token, where each expert lies in one piece.
    pub reads_per_token: u64,
    /// Bytes of experts that one token reads.
    pub expert_bytes_per_token: u64,
    /// Bytes of experts a second for the token rate that is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_second: Option<u64>,
}

/// When a conversation overflows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Conversation {
    /// Tokens of a question with its answer.
    pub turn_tokens: u64,
    /// The first turn that no longer fits, from 1, where memory is kept and nothing is trimmed; `None` where the memory
    /// never overflows.
    pub overflows_at_turn: Option<u64>,
}

impl Share {
    fn of(share: &TypeShare) -> Self {
        Self { kind: TensorType::name(share.kind), tensors: share.tensors, bytes: share.bytes }
    }
}

impl ModelFacts {
    pub(super) fn of(name: &str, need: &Need) -> Self {
        let Weights { bytes, types, mixed, .. } = &need.weights;
        let shares = |shares: &[TypeShare]| shares.iter().map(Share::of).collect();
        let mixed =
            mixed.iter().map(|(tensor, types)| Mixed { tensor: tensor.clone(), types: shares(types) });
        Self {
            name: name.to_owned(),
            architecture: need.shape.architecture().to_owned(),
            file_bytes: need.file_bytes(),
            files: need.files.len(),
            n_ctx_train: need.shape.n_ctx_train(),
            sliding_window: need.shape.sliding_window(),
            weight_bytes: *bytes,
            types: shares(types),
            mixed: mixed.collect(),
        }
    }
}

impl ContextFacts {
    pub(super) fn of(at: &Situation<'_>) -> Self {
        let need = at.need;
        let limits = &at.device.limits;
        let gpu = limits.working_set.as_ref().filter(|_| !at.options.cpu_only);
        let gpu = gpu.map(|limit| limit.bytes.saturating_sub(need.weights.bytes));
        let fixed = at.written().saturating_sub(need.usage.bytes).saturating_sub(need.compute.bytes);
        let app = limits.app_memory.get(at.takes_more()).filter(|_| at.device.is_mobile());
        let app = app.map(|limit| limit.bytes.saturating_sub(fixed));
        let room = [gpu, app].into_iter().flatten().min();
        Self {
            n_ctx: need.usage.n_ctx_seq,
            assumed: need.assumed,
            type_k: need.params.type_k.name(),
            type_v: need.params.type_v.name(),
            cache_bytes: need.usage.bytes,
            state_bytes: need.usage.state_bytes(),
            bytes_per_token: need.usage.bytes_per_token(),
            compute: need.compute,
            longest: room.and_then(|room| at.longest_context(room)),
        }
    }
}

impl Streaming {
    pub(super) fn of(at: &Situation<'_>) -> Option<Self> {
        let (need, experts) = (at.need, at.need.traffic.experts.as_ref()?);
        let rate = |rate: f64| (experts.bytes_per_token as f64 * rate) as u64;
        Some(Self {
            bytes_per_token: need.traffic.bytes_per_token(),
            experts_share: experts.bytes as f64 / need.weights.bytes.max(1) as f64,
            experts: experts.count,
            used: experts.used,
            reads_per_token: experts.reads_per_token,
            expert_bytes_per_token: experts.bytes_per_token,
            bytes_per_second: at.options.tokens_per_second.map(rate),
        })
    }
}

impl Conversation {
    pub(super) fn of(at: &Situation<'_>) -> Option<Self> {
        let turn_tokens = at.options.turn_tokens.filter(|tokens| *tokens > 0)?;
        let endless = at.need.usage.caches.iter().all(|cache| cache.kind == gguf::memory::CacheKind::State);
        let overflows = at.need.usage.n_ctx_seq / turn_tokens + 1;
        Some(Self { turn_tokens, overflows_at_turn: (!endless).then_some(overflows) })
    }
}
