//! `gemma3`: a block that sees a window of 32 tokens, and one that sees everything.

use super::super::CompileError;
use super::tensors::{BLOCK, TIED_EMBEDDING, TIED_OUTPUT};
use super::{RandomArchitecture, Sizes, Tensors};

const BLOCKS: usize = 2;
const WIDTH: usize = 256;
const HEADS: usize = 4;
const KV_HEADS: usize = 1;
const HEAD: usize = 64;
const FEED_FORWARD: usize = 512;
const WINDOW: usize = 32;

/// The text model of Gemma 3.
pub(crate) const GEMMA3: RandomArchitecture = RandomArchitecture { name: "gemma3", describe, fill };

fn describe(sizes: &mut Sizes<'_>) {
    sizes
        .sizes(&[
            ("context_length", 1024),
            ("embedding_length", WIDTH),
            ("block_count", BLOCKS),
            ("feed_forward_length", FEED_FORWARD),
            ("attention.head_count", HEADS),
            ("attention.head_count_kv", KV_HEADS),
            ("attention.key_length", HEAD),
            ("attention.value_length", HEAD),
            ("attention.sliding_window", WINDOW),
            // Every second block sees everything.
            ("attention.sliding_window_pattern", 2),
        ])
        .vocabulary()
        .epsilon()
        .set("rope.freq_base", 1_000_000.0_f32)
        .set("rope.freq_base_swa", 10_000.0_f32);
}

fn fill(tensors: &mut Tensors<'_>) -> Result<(), CompileError> {
    tensors.matrix("token_embd", tensors.vocabulary, WIDTH, TIED_EMBEDDING)?;
    tensors.scaled_norm("output_norm", WIDTH, TIED_OUTPUT)?;
    for block in 0..BLOCKS {
        let name = |tensor: &str| format!("blk.{block}.{tensor}");
        for norm in ["attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm"] {
            tensors.norm(&name(norm), WIDTH)?;
        }
        tensors.norm(&name("attn_q_norm"), HEAD)?;
        tensors.norm(&name("attn_k_norm"), HEAD)?;
        tensors.matrix(&name("attn_q"), HEADS * HEAD, WIDTH, BLOCK)?;
        tensors.matrix(&name("attn_k"), KV_HEADS * HEAD, WIDTH, BLOCK)?;
        tensors.matrix(&name("attn_v"), KV_HEADS * HEAD, WIDTH, BLOCK)?;
        tensors.matrix(&name("attn_output"), WIDTH, HEADS * HEAD, BLOCK)?;
        tensors.matrix(&name("ffn_gate"), FEED_FORWARD, WIDTH, BLOCK)?;
        tensors.matrix(&name("ffn_up"), FEED_FORWARD, WIDTH, BLOCK)?;
        tensors.matrix(&name("ffn_down"), WIDTH, FEED_FORWARD, BLOCK)?;
    }
    Ok(())
}
