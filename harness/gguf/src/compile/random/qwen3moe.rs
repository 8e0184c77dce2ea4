//! `qwen3moe`: a mixture of eight experts, two of which are used, chosen by wide margins.
//!
//! Each token's embedding holds a first and a second choice in [`EXPERTS`] dimensions of its own. No block adds to
//! them, and the router reads little else, so noise in the context never changes a choice.

use super::super::{CompileError, Matrix, Noise};
use super::qwen3::{HEAD, HEADS, WIDTH, describe_attention, fill_attention};
use super::tensors::{BLOCK, EMBEDDING, OUTPUT};
use super::{RandomArchitecture, Sizes, Tensors};

const BLOCKS: usize = 2;
const EXPERTS: usize = 8;
const USED: usize = 2;
const FEED_FORWARD: usize = 64;

/// What a token's first and second choice hold; the other experts' dimensions hold 0.
const CHOICES: [f32; USED] = [4.0, 3.0];
/// What the router makes of them: with residual streams of up to about 3 an element, the second choice leads the
/// third expert by 3 or more.
const ROUTER: f32 = 4.0;
/// Standard deviation 147/16384 over 256 inputs: 0.15 in a router logit.
const ROUTER_NOISE: f32 = 1.0 / 16384.0;

/// Qwen 3 with experts.
pub(crate) const QWEN3MOE: RandomArchitecture = RandomArchitecture { name: "qwen3moe", describe, fill };

fn describe(sizes: &mut Sizes<'_>) {
    sizes.sizes(&[
        ("block_count", BLOCKS),
        ("feed_forward_length", 2 * WIDTH),
        ("expert_count", EXPERTS),
        ("expert_used_count", USED),
        ("expert_feed_forward_length", FEED_FORWARD),
    ]);
    describe_attention(sizes);
}

fn fill(tensors: &mut Tensors<'_>) -> Result<(), CompileError> {
    tensors.shaped("token_embd", tensors.vocabulary, WIDTH, EMBEDDING, choose)?;
    tensors.matrix("output", tensors.vocabulary, WIDTH, OUTPUT)?;
    tensors.norm("output_norm", WIDTH)?;
    for block in 0..BLOCKS {
        let name = |tensor: &str| format!("blk.{block}.{tensor}");
        fill_attention(tensors, block)?;
        tensors.shaped(&name("attn_output"), WIDTH, HEADS * HEAD, BLOCK, |output| keep_choices(output, 1))?;
        tensors.shaped(&name("ffn_gate_inp"), EXPERTS, WIDTH, ROUTER_NOISE, |router| route(router, block))?;
        tensors.stack(&name("ffn_gate_exps"), [EXPERTS, FEED_FORWARD, WIDTH], BLOCK, |_| {})?;
        tensors.stack(&name("ffn_up_exps"), [EXPERTS, FEED_FORWARD, WIDTH], BLOCK, |_| {})?;
        tensors.stack(&name("ffn_down_exps"), [EXPERTS, WIDTH, FEED_FORWARD], 2.0 * BLOCK, |down| {
            keep_choices(down, EXPERTS);
        })?;
    }
    Ok(())
}

/// Writes every token's choices.
fn choose(embedding: &mut Matrix) {
    let mut noise = Noise::named("choices");
    for token in 0..embedding.rows() {
        let bits = noise.bits() as usize;
        let first = bits % EXPERTS;
        let second = (first + 1 + (bits >> 32) % (EXPERTS - 1)) % EXPERTS;
        for expert in 0..EXPERTS {
            embedding.set(token, expert, 0.0);
        }
        embedding.set(token, first, CHOICES[0]);
        embedding.set(token, second, CHOICES[1]);
    }
}

/// Has each expert look at one dimension of the choices, another one in each block.
fn route(router: &mut Matrix, block: usize) {
    for expert in 0..EXPERTS {
        for dimension in 0..EXPERTS {
            let own = dimension == (expert + 3 * block) % EXPERTS;
            router.set(expert, dimension, if own { ROUTER } else { 0.0 });
        }
    }
}

/// Keeps what a block adds, in each of the matrices stacked in `matrix`, away from the choices.
fn keep_choices(matrix: &mut Matrix, stacked: usize) {
    let rows = matrix.rows() / stacked;
    for row in (0..stacked).flat_map(|index| index * rows..index * rows + EXPERTS) {
        matrix.clear(row);
    }
}
