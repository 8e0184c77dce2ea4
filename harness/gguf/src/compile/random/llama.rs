//! `llama`, with grouped queries.

use super::super::CompileError;
use super::tensors::{BLOCK, EMBEDDING, OUTPUT};
use super::{RandomArchitecture, Sizes, Tensors};

const WIDTH: usize = 256;
const HEADS: usize = 4;
const KV_HEADS: usize = 2;
const HEAD: usize = 64;

/// Llama 2 and 3.
pub(crate) const LLAMA: RandomArchitecture = llama::<2, 512>();

/// One block in which every row is a whole super-block of 256 weights, so that it can be written in any type.
pub(crate) const LLAMA_BLOCK: RandomArchitecture = llama::<1, 256>();

const fn llama<const BLOCKS: usize, const FEED_FORWARD: usize>() -> RandomArchitecture {
    RandomArchitecture {
        name: "llama",
        describe: describe::<BLOCKS, FEED_FORWARD>,
        fill: fill::<BLOCKS, FEED_FORWARD>,
    }
}

fn describe<const BLOCKS: usize, const FEED_FORWARD: usize>(sizes: &mut Sizes<'_>) {
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
            ("rope.dimension_count", HEAD),
        ])
        .vocabulary()
        .epsilon()
        .set("rope.freq_base", 10_000.0_f32);
}

fn fill<const BLOCKS: usize, const FEED_FORWARD: usize>(
    tensors: &mut Tensors<'_>,
) -> Result<(), CompileError> {
    tensors.matrix("token_embd", tensors.vocabulary, WIDTH, EMBEDDING)?;
    tensors.matrix("output", tensors.vocabulary, WIDTH, OUTPUT)?;
    tensors.norm("output_norm", WIDTH)?;
    for block in 0..BLOCKS {
        let name = |tensor: &str| format!("blk.{block}.{tensor}");
        tensors.norm(&name("attn_norm"), WIDTH)?;
        tensors.norm(&name("ffn_norm"), WIDTH)?;
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
