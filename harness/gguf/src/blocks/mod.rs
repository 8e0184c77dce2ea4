//! Weights in every element type, without rounding: small integers times powers of two, which each type here can hold
//! exactly. So the same model can be written in each of them, and its answers must be the same but for what the kernels
//! round on the way.
//!
//! One file a kind of block, after the `dequantize_row_*` functions of ggml-quants.c, which read what is written here.
//! This room never rounds: a value that a type cannot hold is an error of the fixture, and ends its making.

mod codebook;
mod legacy;
mod levels;
mod super_block;
mod ternary;
mod weights;

pub(crate) use levels::Levels;
pub(crate) use weights::Exact;
#[cfg(test)]
pub(crate) use weights::TYPES;
