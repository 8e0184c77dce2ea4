//! The compiler of fixtures: from words ("after this token, if that flag is up, comes this one") to the weights of
//! a transformer that does it.
//!
//! The residual stream has a dimension that is always there, one a token that the rules know, one a flag, and one
//! a possible next token. Attention in the first block finds the previous token, the latest question and markers
//! anywhere in the context, and raises flags; the gated feed-forward network of the last block has one row a rule.
//! Everything else is small noise, so that every weight and every operation matters. Numbers come from integers
//! and powers of two: the bytes are the same on every machine. It must never use a mathematical library.
//!
//! Models of random weights are made here too, for architectures that can't be compiled for.

mod architecture;
mod attention;
mod behaviour;
mod compile_error;
mod feed_forward;
mod flags;
mod layout;
mod matrix;
mod merges;
mod model;
mod noise;
mod random;
mod rule;
mod scheme;
mod vocabulary;

pub(crate) use architecture::{Architecture, Rope};
pub(crate) use attention::{Attention, ROPE_BASE};
pub(crate) use behaviour::{After, Chain};
pub use behaviour::{Behaviour, End};
pub use compile_error::CompileError;
pub(crate) use feed_forward::FeedForward;
pub(crate) use flags::Flags;
pub(crate) use layout::{Layout, Shape};
pub(crate) use matrix::Matrix;
pub(crate) use model::{ModelSpec, compile};
pub(crate) use noise::Noise;
pub(crate) use random::{
    GEMMA3, GEMMA4, LLAMA, LLAMA_BLOCK, LLAMA_NARROW, MAMBA, QWEN2VL, QWEN3, QWEN3MOE, RandomArchitecture,
    RandomSpec, Weights, adapter, random,
};
pub(crate) use rule::Rule;
pub(crate) use scheme::{MERGED_WORDS, Scheme};
pub(crate) use vocabulary::{TokenId, TokenKind, Vocabulary, VocabularySpec};
