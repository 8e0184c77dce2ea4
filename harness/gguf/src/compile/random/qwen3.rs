//! `qwen3`: queries and keys are normed.

use super::super::CompileError;
use super::tensors::{BLOCK, EMBEDDING, OUTPUT};
use super::{RandomArchitecture, Sizes, Tensors};

const BLOCKS: usize = 2;
pub(super) const WIDTH: usize = 256;
pub(super) const HEADS: usize = 4;
pub(super) const KV_HEADS: usize = 2;
pub(super) const HEAD: usize = 64;
const FEED_FORWARD: usize = 512;

/// The dense Qwen 3.
pub(crate) const QWEN3: RandomArchitecture = RandomArchitecture { name: "qwen3", describe, fill };

fn describe(sizes: &mut Sizes<'_>) {
    sizes.sizes(&[("block_count", BLOCKS), ("feed_forward_length", FEED_FORWARD)]);
    describe_attention(sizes);
}

/// Sizes that the dense model and the mixture of experts share.
pub(super) fn describe_attention(sizes: &mut Sizes<'_>) {
    sizes
        .sizes(&[
            ("context_length", 1024),
            ("embedding_length", WIDTH),
            ("attention.head_count", HEADS),
            ("attention.head_count_kv", KV_HEADS),
            ("attention.key_length", HEAD),
            ("attention.value_length", HEAD),
        ])
        .vocabulary()
        .epsilon()
        .set("rope.freq_base", 1_000_000.0_f32);
}

fn fill(tensors: &mut Tensors<'_>) -> Result<(), CompileError> {
    tensors.matrix("token_embd", tensors.vocabulary, WIDTH, EMBEDDING)?;
    tensors.matrix("output", tensors.vocabulary, WIDTH, OUTPUT)?;
    tensors.norm("output_norm", WIDTH)?;
    for block in 0..BLOCKS {
        let name = |tensor: &str| format!("blk.{block}.{tensor}");
        fill_attention(tensors, block)?;
        tensors.matrix(&name("attn_output"), WIDTH, HEADS * HEAD, BLOCK)?;
        tensors.matrix(&name("ffn_gate"), FEED_FORWARD, WIDTH, BLOCK)?;
        tensors.matrix(&name("ffn_up"), FEED_FORWARD, WIDTH, BLOCK)?;
        tensors.matrix(&name("ffn_down"), WIDTH, FEED_FORWARD, BLOCK)?;
    }
    Ok(())
}

/// A block's norms, queries, keys and values.
pub(super) fn fill_attention(tensors: &mut Tensors<'_>, block: usize) -> Result<(), CompileError> {
    let name = |tensor: &str| format!("blk.{block}.{tensor}");
    tensors.norm(&name("attn_norm"), WIDTH)?;
    tensors.norm(&name("ffn_norm"), WIDTH)?;
    tensors.norm(&name("attn_q_norm"), HEAD)?;
    tensors.norm(&name("attn_k_norm"), HEAD)?;
    tensors.matrix(&name("attn_q"), HEADS * HEAD, WIDTH, BLOCK)?;
    tensors.matrix(&name("attn_k"), KV_HEADS * HEAD, WIDTH, BLOCK)?;
    tensors.matrix(&name("attn_v"), KV_HEADS * HEAD, WIDTH, BLOCK)
}
