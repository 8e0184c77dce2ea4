//! Types whose four bits are places in a table: `iq4_nl`, `iq4_xs`, `mxfp4`, `nvfp4`.

use super::legacy::nibbles;
use super::weights::{SuperBlock, half, moved};

/// `kvalues_iq4nl` of ggml-common.h.
pub(super) const IQ4_NL: [i8; 16] =
    [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];
/// `kvalues_mxfp4` of ggml-common.h: four-bit floats, doubled.
const E2M1: [i8; 16] = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12];

/// The place of `value` in `table`.
fn place(table: &[i8; 16], value: i8) -> u8 {
    match table.iter().position(|known| *known == value) {
        Some(place) => place as u8,
        None => unreachable!("{value} is not in the table of this type"),
    }
}

/// Blocks of 32 with one scale.
pub(super) fn iq4_nl(integers: &[i8; 32], exponent: i8, out: &mut Vec<u8>) {
    out.extend(half(exponent));
    out.extend(nibbles(&integers.map(|value| place(&IQ4_NL, value))));
}

/// Eight parts of 32 with factors of six bits around 32: two bits of each in one number, four in bytes.
pub(super) fn iq4_xs(block: &SuperBlock, out: &mut Vec<u8>) {
    let (lowest, scales) = block.scales();
    let factors = scales.map(|scale| scale + 32);
    let upper = (0..8).fold(0_u16, |bits, k| bits | u16::from(factors[k] >> 4) << (2 * k));
    out.extend(half(lowest));
    out.extend(upper.to_le_bytes());
    out.extend(factors.as_chunks::<2>().0.iter().map(|[a, b]| (a & 15) | (b & 15) << 4));
    for (integers, _) in block.groups() {
        out.extend(nibbles(&integers.map(|value| place(&IQ4_NL, value))));
    }
}

/// Blocks of 32 with an exponent of 8 bits, of which the table is the double.
pub(super) fn mxfp4(integers: &[i8; 32], exponent: i8, out: &mut Vec<u8>) {
    out.push((i16::from(exponent) + 128) as u8);
    out.extend(nibbles(&integers.map(|value| place(&E2M1, value))));
}

/// Blocks of 64: four scales of 8 bits (four of exponent, three of fraction) for 16 weights each, of which the table is
/// the double.
pub(super) fn nvfp4(block: &SuperBlock, out: &mut Vec<u8>) {
    let scale = moved(block.exponent(), 8, 4);
    assert!(scale > 0, "an exponent of 0 stands for something else");
    for integers in block.integers.as_chunks::<64>().0 {
        out.extend([scale << 3; 4]);
        for part in integers.as_chunks::<16>().0 {
            out.extend((0..8).map(|j| place(&E2M1, part[j]) | place(&E2M1, part[j + 8]) << 4));
        }
    }
}
