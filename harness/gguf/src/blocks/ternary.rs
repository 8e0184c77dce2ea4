//! Types of one scale and very few values: `tq1_0`, `tq2_0`, `q1_0`, `q2_0`.

use super::weights::{SuperBlock, half, moved};

/// Five weights a byte, as digits of base three, then four a byte.
pub(super) fn tq1_0(block: &SuperBlock, out: &mut Vec<u8>) {
    let digits = block.integers.map(|value| moved(value, 1, 2));
    let (first, rest) = digits.split_at(160);
    let (second, last) = rest.split_at(80);
    out.extend((0..32).map(|j| fraction((0..5).map(|n| first[32 * n + j]))));
    out.extend((0..16).map(|j| fraction((0..5).map(|n| second[16 * n + j]))));
    out.extend((0..4).map(|j| fraction((0..4).map(|n| last[4 * n + j]).chain([0]))));
    out.extend(half(block.exponent()));
}

/// Five digits after the point in base three, as a fraction of 256, rounded up: so that multiplying by three brings them
/// out one by one.
fn fraction(digits: impl Iterator<Item = u8>) -> u8 {
    let number = digits.fold(0_u16, |number, digit| 3 * number + u16::from(digit));
    (number * 256).div_ceil(243) as u8
}

/// Two bits: of each half, 32 bytes that hold four planes of 32.
pub(super) fn tq2_0(block: &SuperBlock, out: &mut Vec<u8>) {
    let numbers = block.integers.map(|value| moved(value, 1, 2));
    for numbers in numbers.as_chunks::<128>().0 {
        out.extend((0..32).map(|j| (0..4).fold(0, |bits, k| bits | numbers[j + 32 * k] << (2 * k))));
    }
    out.extend(half(block.exponent()));
}

/// A sign a weight; blocks of 128.
pub(super) fn q1_0(block: &SuperBlock, out: &mut Vec<u8>) {
    for integers in block.integers.as_chunks::<128>().0 {
        out.extend(half(block.exponent()));
        let signs = integers.as_chunks::<8>().0.iter();
        out.extend(signs.map(|eight| (0..8).fold(0, |bits, k| bits | u8::from(eight[k] > 0) << k)));
    }
}

/// Two bits, neighbours in one byte; blocks of 64.
pub(super) fn q2_0(block: &SuperBlock, out: &mut Vec<u8>) {
    for integers in block.integers.as_chunks::<64>().0 {
        out.extend(half(block.exponent()));
        let fours = integers.as_chunks::<4>().0.iter();
        out.extend(fours.map(|four| (0..4).fold(0, |bits, k| bits | moved(four[k], 1, 2) << (2 * k))));
    }
}
