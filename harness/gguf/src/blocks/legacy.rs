//! Blocks of 32 with one scale: `q4_0`, `q4_1`, `q5_0`, `q5_1`, `q8_0`.
//!
//! Nibble j of a block is weight j, and in its upper half weight j + 16; of the five-bit types the fifth bits stand in
//! one number of 32 bits.

use super::weights::{half, moved};

/// Scale × (nibble − 8).
pub(super) fn q4_0(integers: &[i8; 32], exponent: i8, out: &mut Vec<u8>) {
    out.extend(half(exponent));
    out.extend(nibbles(&integers.map(|value| moved(value, 8, 4))));
}

/// Scale × nibble + least, the least being −8 × scale.
pub(super) fn q4_1(integers: &[i8; 32], exponent: i8, out: &mut Vec<u8>) {
    out.extend(half(exponent));
    out.extend(minus(half(exponent + 3)));
    out.extend(nibbles(&integers.map(|value| moved(value, 8, 4))));
}

/// Scale × (five bits − 16).
pub(super) fn q5_0(integers: &[i8; 32], exponent: i8, out: &mut Vec<u8>) {
    out.extend(half(exponent));
    five_bits(&integers.map(|value| moved(value, 16, 5)), out);
}

/// Scale × five bits + least, the least being −16 × scale.
pub(super) fn q5_1(integers: &[i8; 32], exponent: i8, out: &mut Vec<u8>) {
    out.extend(half(exponent));
    out.extend(minus(half(exponent + 4)));
    five_bits(&integers.map(|value| moved(value, 16, 5)), out);
}

/// Scale × byte.
pub(super) fn q8_0(integers: &[i8; 32], exponent: i8, out: &mut Vec<u8>) {
    out.extend(half(exponent));
    out.extend(integers.map(i8::cast_unsigned));
}

/// The same 16-bit float below zero.
fn minus([low, high]: [u8; 2]) -> [u8; 2] {
    [low, high | 0x80]
}

/// 32 numbers of four bits in 16 bytes.
pub(super) fn nibbles(numbers: &[u8; 32]) -> [u8; 16] {
    std::array::from_fn(|j| (numbers[j] & 15) | (numbers[j + 16] & 15) << 4)
}

fn five_bits(numbers: &[u8; 32], out: &mut Vec<u8>) {
    let fifth = (0..32).fold(0_u32, |bits, j| bits | u32::from(numbers[j] >> 4) << j);
    out.extend(fifth.to_le_bytes());
    out.extend(nibbles(numbers));
}
