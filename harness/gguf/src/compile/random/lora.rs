//! A LoRA adapter whose product with a matrix of weights is exact: applied or fused, it is the same model.
//!
//! Both of its matrices hold −1, 0 and 1 times powers of two, so the entries of their product are small integers times
//! the unit of the weights, and the sum fits into 16 bits.

use crate::Writer;

use super::super::{CompileError, Matrix, Noise};
use super::tensors::BLOCK;

/// Columns between the two matrices.
const RANK: usize = 8;
/// What the second matrix multiplies by: the product's standard deviation is about a third of the weights'.
const STRENGTH: f32 = 32.0;
/// The matrices that are adapted, and outputs and inputs of each.
const ADAPTED: [(&str, usize, usize); 3] = [
    ("blk.0.attn_q.weight", 256, 256),
    ("blk.0.attn_v.weight", 128, 256),
    ("blk.0.ffn_down.weight", 256, 256),
];

/// The adapter for a model of the architecture `llama` with one block of those sizes.
pub(crate) fn adapter(name: &str) -> Result<Writer, CompileError> {
    let mut file = Writer::new("llama");
    file.set("general.type", "adapter");
    file.set("general.name", name);
    file.set("general.license", "MIT OR Apache-2.0");
    file.set("adapter.type", "lora");
    // llama.cpp divides it by the rank.
    file.set("adapter.lora.alpha", RANK as f32);
    for (tensor, rows, columns) in ADAPTED {
        let down: Vec<f32> = signs(&format!("{tensor}.lora_a"), RANK * columns).collect();
        let up: Vec<f32> =
            signs(&format!("{tensor}.lora_b"), rows * RANK).map(|sign| sign * STRENGTH * BLOCK).collect();
        file.f16(&format!("{tensor}.lora_a"), &[columns as u64, RANK as u64], &down)?;
        file.f16(&format!("{tensor}.lora_b"), &[RANK as u64, rows as u64], &up)?;
    }
    Ok(file)
}

/// Adds the adapter's product to `matrix`, the tensor `name`, if that is one that it adapts.
pub(super) fn fuse(name: &str, matrix: &mut Matrix, unit: f32) {
    let Some((_, rows, columns)) = ADAPTED.into_iter().find(|(adapted, ..)| *adapted == name) else { return };
    assert!((matrix.rows(), unit) == (rows, BLOCK), "the adapter was made for another matrix than {name}");
    let down: Vec<f32> = signs(&format!("{name}.lora_a"), RANK * columns).collect();
    let up: Vec<f32> = signs(&format!("{name}.lora_b"), rows * RANK).collect();
    for row in 0..rows {
        for column in 0..columns {
            let product: f32 = (0..RANK).map(|k| up[row * RANK + k] * down[k * columns + column]).sum();
            matrix.add(row, column, product * STRENGTH * BLOCK);
        }
    }
}

/// −1, 0 or 1, of the noise that belongs to `name`.
fn signs(name: &str, count: usize) -> impl Iterator<Item = f32> {
    let mut noise = Noise::named(name);
    (0..count).map(move |_| ((noise.bits() >> 32) % 3) as f32 - 1.0)
}
