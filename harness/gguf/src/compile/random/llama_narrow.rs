//! `llama`, as narrow as can be: so that a vocabulary as large as a real one fits into a small file.

use super::super::CompileError;
use super::{RandomArchitecture, Sizes, Tensors};

const WIDTH: usize = 16;
const HEADS: usize = 2;
/// A whole block of every quantisation of the KV cache.
const HEAD: usize = 32;
const FEED_FORWARD: usize = 32;

/// Standard deviation 147/1024: the embedding is the output matrix too, and must not drown what the block adds.
const EMBEDDING: f32 = 1.0 / 1024.0;
/// Standard deviation 147/512: about 1 / √16, so that the block adds as much as it finds.
const BLOCK: f32 = 1.0 / 512.0;
/// What the last norm multiplies by: logits of about 2.3.
const OUTPUT: f32 = 4.0;

/// Llama in one block, the embedding used twice.
pub(crate) const LLAMA_NARROW: RandomArchitecture = RandomArchitecture { name: "llama", describe, fill };

fn describe(sizes: &mut Sizes<'_>) {
    sizes
        .sizes(&[
            ("context_length", 1024),
            ("embedding_length", WIDTH),
            ("block_count", 1),
            ("feed_forward_length", FEED_FORWARD),
            ("attention.head_count", HEADS),
            ("attention.head_count_kv", HEADS),
            ("attention.key_length", HEAD),
            ("attention.value_length", HEAD),
            ("rope.dimension_count", HEAD),
        ])
        .vocabulary()
        .epsilon()
        .set("rope.freq_base", 10_000.0_f32);
}

fn fill(tensors: &mut Tensors<'_>) -> Result<(), CompileError> {
    tensors.matrix("token_embd", tensors.vocabulary, WIDTH, EMBEDDING)?;
    tensors.scaled_norm("output_norm", WIDTH, OUTPUT)?;
    tensors.norm("blk.0.attn_norm", WIDTH)?;
    tensors.norm("blk.0.ffn_norm", WIDTH)?;
    for name in ["attn_q", "attn_k", "attn_v"] {
        tensors.matrix(&format!("blk.0.{name}"), HEADS * HEAD, WIDTH, BLOCK)?;
    }
    tensors.matrix("blk.0.attn_output", WIDTH, HEADS * HEAD, BLOCK)?;
    tensors.matrix("blk.0.ffn_gate", FEED_FORWARD, WIDTH, BLOCK)?;
    tensors.matrix("blk.0.ffn_up", FEED_FORWARD, WIDTH, BLOCK)?;
    tensors.matrix("blk.0.ffn_down", WIDTH, FEED_FORWARD, BLOCK)
}
