//! `mamba`: a recurrent memory, which never overflows and can't go back.

use super::super::CompileError;
use super::tensors::{BLOCK, EMBEDDING, OUTPUT};
use super::{RandomArchitecture, Sizes, Tensors};

const BLOCKS: usize = 2;
const WIDTH: usize = 256;
/// llama.cpp wants twice the width.
const INNER: usize = 2 * WIDTH;
const STATE: usize = 16;
const KERNEL: usize = 4;
const STEP_RANK: usize = 16;

/// Standard deviation 147/512 over four inputs: about half of what comes in.
const CONVOLUTION: f32 = 1.0 / 512.0;
/// Standard deviation 147/4096: about 1 / √512.
const FROM_INNER: f32 = 1.0 / 4096.0;
/// Standard deviation 147/1024 over sixteen inputs.
const STEP: f32 = 1.0 / 1024.0;
/// Middle of the step sizes before the soft plus: steps of about 0.13.
const STEP_BIAS: f32 = -2.0;

/// The first Mamba.
pub(crate) const MAMBA: RandomArchitecture = RandomArchitecture { name: "mamba", describe, fill };

fn describe(sizes: &mut Sizes<'_>) {
    sizes
        .sizes(&[
            ("context_length", 1024),
            ("embedding_length", WIDTH),
            ("feed_forward_length", 0),
            ("attention.head_count", 0),
            ("block_count", BLOCKS),
            ("ssm.conv_kernel", KERNEL),
            ("ssm.inner_size", INNER),
            ("ssm.state_size", STATE),
            ("ssm.time_step_rank", STEP_RANK),
        ])
        .vocabulary()
        .epsilon();
}

fn fill(tensors: &mut Tensors<'_>) -> Result<(), CompileError> {
    tensors.matrix("token_embd", tensors.vocabulary, WIDTH, EMBEDDING)?;
    tensors.matrix("output", tensors.vocabulary, WIDTH, OUTPUT)?;
    tensors.norm("output_norm", WIDTH)?;
    // The usual start: every channel decays at the rates 1, 2, 3 …
    let decay: Vec<f32> = (0..INNER * STATE).map(|index| -((index % STATE + 1) as f32)).collect();
    for block in 0..BLOCKS {
        let name = |tensor: &str| format!("blk.{block}.{tensor}");
        tensors.norm(&name("attn_norm"), WIDTH)?;
        tensors.matrix(&name("ssm_in"), 2 * INNER, WIDTH, BLOCK)?;
        tensors.vector(&name("ssm_conv1d.weight"), &[KERNEL, INNER], 0.0, CONVOLUTION)?;
        tensors.vector(&name("ssm_conv1d.bias"), &[INNER], 0.0, BLOCK)?;
        tensors.matrix(&name("ssm_x"), STEP_RANK + 2 * STATE, INNER, 2.0 * FROM_INNER)?;
        tensors.matrix(&name("ssm_dt"), INNER, STEP_RANK, STEP)?;
        tensors.vector(&name("ssm_dt.bias"), &[INNER], STEP_BIAS, STEP)?;
        tensors.values(&name("ssm_a"), &[STATE, INNER], &decay)?;
        tensors.vector(&name("ssm_d"), &[INNER], 1.0, BLOCK)?;
        tensors.matrix(&name("ssm_out"), WIDTH, INNER, 4.0 * FROM_INNER)?;
    }
    Ok(())
}
