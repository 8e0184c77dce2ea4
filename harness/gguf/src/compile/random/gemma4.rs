//! `gemma4` as E2B has it: two blocks with keys and values of their own and two that reuse them, of either pair one
//! with a window of 32 tokens and one that sees everything; inputs a layer; wider networks in the blocks that reuse.

use super::super::CompileError;
use super::tensors::{BLOCK, TIED_EMBEDDING, TIED_OUTPUT};
use super::{RandomArchitecture, Sizes, Tensors};

const WIDTH: usize = 256;
const HEADS: usize = 2;
/// Width of the input that each token has for each layer.
const PER_LAYER: usize = 32;
const WINDOW: usize = 32;

/// What differs between blocks.
#[derive(Clone, Copy)]
struct Block {
    /// Sees a window only.
    slides: bool,
    /// Has keys and values of its own.
    has_kv: bool,
    kv_heads: usize,
    feed_forward: usize,
}

const BLOCKS: [Block; 4] = [
    Block { slides: true, has_kv: true, kv_heads: 2, feed_forward: 128 },
    Block { slides: false, has_kv: true, kv_heads: 1, feed_forward: 128 },
    Block { slides: true, has_kv: false, kv_heads: 2, feed_forward: 256 },
    Block { slides: false, has_kv: false, kv_heads: 1, feed_forward: 256 },
];

impl Block {
    const fn head(&self) -> usize {
        if self.slides { 64 } else { 128 }
    }
}

/// Attention has no scale of its own: the norm of the keys makes scores of about 1 of heads of 64.
const KEY_NORM: f32 = 1.0 / 8.0;
/// Standard deviation 147/1024, which √32 makes about 1 an element.
const PER_LAYER_EMBEDDING: f32 = 1.0 / 1024.0;
/// What the embedding a layer and the projection of the embedding share.
const LAYER_SCALE: f32 = 7.0 / 8.0;
/// "Never turns", in the proportional rotation of the blocks that see everything.
const STILL: f32 = 1e30;

/// The text model of Gemma 4.
pub(crate) const GEMMA4: RandomArchitecture = RandomArchitecture { name: "gemma4", describe, fill };

fn describe(sizes: &mut Sizes<'_>) {
    let list =
        |size: fn(&Block) -> usize| -> Vec<u32> { BLOCKS.iter().map(|block| size(block) as u32).collect() };
    let (sliding, full) = (BLOCKS[0].head(), BLOCKS[1].head());
    sizes
        .sizes(&[
            ("context_length", 1024),
            ("embedding_length", WIDTH),
            ("block_count", BLOCKS.len()),
            ("attention.head_count", HEADS),
            ("attention.key_length", full),
            ("attention.value_length", full),
            ("attention.key_length_swa", sliding),
            ("attention.value_length_swa", sliding),
            ("attention.sliding_window", WINDOW),
            ("attention.shared_kv_layers", BLOCKS.iter().filter(|block| !block.has_kv).count()),
            ("embedding_length_per_layer_input", PER_LAYER),
            ("rope.dimension_count", full),
            ("rope.dimension_count_swa", sliding),
        ])
        .set("feed_forward_length", list(|block| block.feed_forward))
        .set("attention.head_count_kv", list(|block| block.kv_heads))
        .set("attention.sliding_window_pattern", BLOCKS.map(|block| block.slides).to_vec())
        .vocabulary()
        .epsilon()
        .set("final_logit_softcapping", 30.0_f32)
        .set("rope.freq_base", 1_000_000.0_f32)
        .set("rope.freq_base_swa", 10_000.0_f32);
}

fn fill(tensors: &mut Tensors<'_>) -> Result<(), CompileError> {
    let every_layer = PER_LAYER * BLOCKS.len();
    tensors.matrix("token_embd", tensors.vocabulary, WIDTH, TIED_EMBEDDING)?;
    tensors.scaled_norm("output_norm", WIDTH, TIED_OUTPUT)?;
    tensors.matrix("per_layer_token_embd", tensors.vocabulary, every_layer, PER_LAYER_EMBEDDING)?;
    tensors.matrix("per_layer_model_proj", every_layer, WIDTH, BLOCK)?;
    tensors.norm("per_layer_proj_norm", PER_LAYER)?;
    let half = BLOCKS[1].head() / 2;
    let factors: Vec<f32> = (0..half).map(|pair| if pair < half / 4 { 1.0 } else { STILL }).collect();
    tensors.values("rope_freqs.weight", &[half], &factors)?;
    for (index, block) in BLOCKS.iter().enumerate() {
        fill_attention(tensors, index, block)?;
        fill_rest(tensors, index, block)?;
    }
    Ok(())
}

fn fill_attention(tensors: &mut Tensors<'_>, index: usize, block: &Block) -> Result<(), CompileError> {
    let name = |tensor: &str| format!("blk.{index}.{tensor}");
    let (queries, keys) = (HEADS * block.head(), block.kv_heads * block.head());
    tensors.norm(&name("attn_norm"), WIDTH)?;
    tensors.norm(&name("attn_q_norm"), block.head())?;
    tensors.matrix(&name("attn_q"), queries, WIDTH, BLOCK)?;
    if block.has_kv {
        tensors.scaled_norm(&name("attn_k_norm"), block.head(), KEY_NORM)?;
        tensors.matrix(&name("attn_k"), keys, WIDTH, BLOCK)?;
        tensors.matrix(&name("attn_v"), keys, WIDTH, BLOCK)?;
    }
    tensors.matrix(&name("attn_output"), WIDTH, queries, BLOCK)?;
    tensors.norm(&name("post_attention_norm"), WIDTH)
}

fn fill_rest(tensors: &mut Tensors<'_>, index: usize, block: &Block) -> Result<(), CompileError> {
    let name = |tensor: &str| format!("blk.{index}.{tensor}");
    tensors.norm(&name("ffn_norm"), WIDTH)?;
    tensors.matrix(&name("ffn_gate"), block.feed_forward, WIDTH, BLOCK)?;
    tensors.matrix(&name("ffn_up"), block.feed_forward, WIDTH, BLOCK)?;
    tensors.matrix(&name("ffn_down"), WIDTH, block.feed_forward, BLOCK)?;
    tensors.norm(&name("post_ffw_norm"), WIDTH)?;
    tensors.matrix(&name("inp_gate"), PER_LAYER, WIDTH, BLOCK)?;
    tensors.matrix(&name("proj"), WIDTH, PER_LAYER, BLOCK)?;
    tensors.norm(&name("post_norm"), WIDTH)?;
    tensors.values(&name("layer_output_scale.weight"), &[1], &[LAYER_SCALE])
}
