//! Super-blocks of 256 with scales of their own: `q2_K` to `q6_K`.
//!
//! A scale for the whole is the lowest power of two; each part has an integer factor, and where the type has one, a
//! least value: the same factor times an offset of the whole.

use super::weights::{SuperBlock, half, moved};

/// Two bits; 16 parts of 16, factor and least in four bits each.
pub(super) fn q2_k(block: &SuperBlock, out: &mut Vec<u8>) {
    let (lowest, scales) = block.scales();
    out.extend(sixteen(scales).map(|scale| scale | scale << 4));
    out.extend(planes(&block.integers.map(|value| moved(value, 2, 2))));
    out.extend(half(lowest));
    out.extend(half(lowest + 1));
}

/// Three bits, the third ones apart; 16 parts of 16, factors of six bits around 32.
pub(super) fn q3_k(block: &SuperBlock, out: &mut Vec<u8>) {
    let (lowest, scales) = block.scales();
    let numbers = block.integers.map(|value| moved(value, 4, 3));
    let mut third = [0_u8; 32];
    for (index, number) in numbers.iter().enumerate() {
        third[index % 32] |= (number >> 2) << (index / 32);
    }
    out.extend(third);
    out.extend(planes(&numbers.map(|number| number & 3)));
    let mut packed = [0_u8; 12];
    for (index, scale) in sixteen(scales).into_iter().enumerate() {
        let scale = scale + 32;
        packed[index % 8] |= (scale & 15) << (4 * (index / 8));
        packed[8 + index % 4] |= (scale >> 4) << (2 * (index / 4));
    }
    out.extend(packed);
    out.extend(half(lowest));
}

/// Four bits; eight parts of 32, the least being −8 factors.
pub(super) fn q4_k(block: &SuperBlock, out: &mut Vec<u8>) {
    let (lowest, scales) = block.scales();
    out.extend(half(lowest));
    out.extend(half(lowest + 3));
    out.extend(factors_and_leasts(scales));
    out.extend(paired(&block.integers.map(|value| moved(value, 8, 4))));
}

/// Five bits, the fifth ones apart; eight parts of 32, the least being −16 factors.
pub(super) fn q5_k(block: &SuperBlock, out: &mut Vec<u8>) {
    let (lowest, scales) = block.scales();
    let numbers = block.integers.map(|value| moved(value, 16, 5));
    out.extend(half(lowest));
    out.extend(half(lowest + 4));
    out.extend(factors_and_leasts(scales));
    let mut fifth = [0_u8; 32];
    for (index, number) in numbers.iter().enumerate() {
        fifth[index % 32] |= (number >> 4) << (index / 32);
    }
    out.extend(fifth);
    out.extend(paired(&numbers));
}

/// Six bits around 32, the upper two apart; 16 parts of 16.
pub(super) fn q6_k(block: &SuperBlock, out: &mut Vec<u8>) {
    let (lowest, scales) = block.scales();
    let numbers = block.integers.map(|value| moved(value, 32, 6));
    let halves = numbers.as_chunks::<128>().0;
    for numbers in halves {
        out.extend((0..64).map(|j| (numbers[j] & 15) | (numbers[j + 64] & 15) << 4));
    }
    for numbers in halves {
        out.extend((0..32).map(|j| (0..4).fold(0, |bits, k| bits | (numbers[j + 32 * k] >> 4) << (2 * k))));
    }
    out.extend(sixteen(scales));
    out.extend(half(lowest));
}

/// The factors of eight parts as those of sixteen.
fn sixteen(scales: [u8; 8]) -> [u8; 16] {
    std::array::from_fn(|index| scales[index / 2])
}

/// Two bits a weight: of each half, 32 bytes that hold four planes of 32.
fn planes(numbers: &[u8; 256]) -> Vec<u8> {
    let halves = numbers.as_chunks::<128>().0.iter();
    halves
        .flat_map(|numbers| (0..32).map(|j| (0..4).fold(0, |bits, k| bits | numbers[j + 32 * k] << (2 * k))))
        .collect()
}

/// Four bits a weight: 32 bytes for 64 weights, the first 32 in their lower halves.
fn paired(numbers: &[u8; 256]) -> Vec<u8> {
    let parts = numbers.as_chunks::<64>().0.iter();
    parts.flat_map(|numbers| (0..32).map(|j| (numbers[j] & 15) | (numbers[j + 32] & 15) << 4)).collect()
}

/// Eight factors and eight leasts, all below 16, in six bits each: the first four of both in bytes of their own, the
/// last four together.
fn factors_and_leasts(scales: [u8; 8]) -> [u8; 12] {
    std::array::from_fn(|index| match index {
        0..4 => scales[index],
        4..8 => scales[index - 4],
        _ => scales[index - 4] | scales[index - 4] << 4,
    })
}
