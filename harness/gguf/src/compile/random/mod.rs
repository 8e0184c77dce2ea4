//! Models of random weights: they say nonsense, but the same nonsense everywhere, with logits spread as wide as
//! those of a real model. For numbers, not for words.
//!
//! One file an architecture: what its metadata and its tensors are called, after llama.cpp's `src/models/`, and how
//! large weights must be so that every block adds about as much as it finds.

mod gemma3;
mod gemma4;
mod llama;
mod llama_narrow;
mod lora;
mod mamba;
mod qwen2vl;
mod qwen3;
mod qwen3moe;
mod sizes;
mod spec;
mod tensors;

pub(crate) use gemma3::GEMMA3;
pub(crate) use gemma4::GEMMA4;
pub(crate) use llama::{LLAMA, LLAMA_BLOCK};
pub(crate) use llama_narrow::LLAMA_NARROW;
pub(crate) use lora::adapter;
pub(crate) use mamba::MAMBA;
pub(crate) use qwen2vl::QWEN2VL;
pub(crate) use qwen3::QWEN3;
pub(crate) use qwen3moe::QWEN3MOE;
use sizes::Sizes;
pub(crate) use spec::{RandomArchitecture, RandomSpec, random};
use tensors::Tensors;
pub(crate) use tensors::Weights;
