//! `qwen2vl`, its language half: a position has several parts, so llama.cpp can't shift its cache.

use super::super::CompileError;
use super::tensors::{BLOCK, EMBEDDING, OUTPUT};
use super::{RandomArchitecture, Sizes, Tensors};

const BLOCKS: usize = 2;
const WIDTH: usize = 256;
const HEADS: usize = 4;
const KV_HEADS: usize = 2;
const HEAD: usize = WIDTH / HEADS;
const FEED_FORWARD: usize = 512;
/// Pairs that turn with time, height and width.
const SECTIONS: [i32; 4] = [8, 12, 12, 0];

/// Qwen 2 VL and 2.5 VL.
pub(crate) const QWEN2VL: RandomArchitecture = RandomArchitecture { name: "qwen2vl", describe, fill };

fn describe(sizes: &mut Sizes<'_>) {
    sizes
        .sizes(&[
            ("context_length", 1024),
            ("embedding_length", WIDTH),
            ("block_count", BLOCKS),
            ("feed_forward_length", FEED_FORWARD),
            ("attention.head_count", HEADS),
            ("attention.head_count_kv", KV_HEADS),
        ])
        .vocabulary()
        .epsilon()
        .set("rope.freq_base", 1_000_000.0_f32)
        .set("rope.dimension_sections", SECTIONS.to_vec());
}

fn fill(tensors: &mut Tensors<'_>) -> Result<(), CompileError> {
    tensors.matrix("token_embd", tensors.vocabulary, WIDTH, EMBEDDING)?;
    tensors.matrix("output", tensors.vocabulary, WIDTH, OUTPUT)?;
    tensors.norm("output_norm", WIDTH)?;
    for block in 0..BLOCKS {
        let name = |tensor: &str| format!("blk.{block}.{tensor}");
        tensors.norm(&name("attn_norm"), WIDTH)?;
        tensors.norm(&name("ffn_norm"), WIDTH)?;
        for (tensor, heads) in [("attn_q", HEADS), ("attn_k", KV_HEADS), ("attn_v", KV_HEADS)] {
            tensors.matrix(&name(tensor), heads * HEAD, WIDTH, BLOCK)?;
            tensors.vector(&name(&format!("{tensor}.bias")), &[heads * HEAD], 0.0, BLOCK)?;
        }
        tensors.matrix(&name("attn_output"), WIDTH, HEADS * HEAD, BLOCK)?;
        tensors.matrix(&name("ffn_gate"), FEED_FORWARD, WIDTH, BLOCK)?;
        tensors.matrix(&name("ffn_up"), FEED_FORWARD, WIDTH, BLOCK)?;
        tensors.matrix(&name("ffn_down"), WIDTH, FEED_FORWARD, BLOCK)?;
    }
    Ok(())
}
