//! Where the floating-point numbers of each element type are, and which of them are none.

use crate::TensorType;

/// A number in a block: its format, and its offset in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Float {
    /// IEEE binary16.
    Half(usize),
    /// The upper half of a binary32.
    Brain(usize),
    /// IEEE binary32.
    Single(usize),
    /// IEEE binary64.
    Double(usize),
    /// An exponent of 8 bits, of which 255 stands for NaN.
    Exponent(usize),
    /// A binary16 in the upper four bits of four numbers of 16 bits: `iq1_m`.
    Scattered(usize),
}

use Float::{Brain, Double, Exponent, Half, Scattered, Single};

/// The numbers in a block of `kind`, after the block structures of ggml-common.h. Integers have none, and every scale of
/// `nvfp4` is a number.
pub(super) const fn floats(kind: TensorType) -> &'static [Float] {
    match kind {
        TensorType::F32 | TensorType::Q8_K => &[Single(0)],
        TensorType::F64 => &[Double(0)],
        TensorType::BF16 => &[Brain(0)],
        TensorType::F16
        | TensorType::Q4_0
        | TensorType::Q5_0
        | TensorType::Q8_0
        | TensorType::Q1_0
        | TensorType::Q2_0
        | TensorType::IQ1_S
        | TensorType::IQ2_XXS
        | TensorType::IQ2_XS
        | TensorType::IQ2_S
        | TensorType::IQ3_XXS
        | TensorType::IQ3_S
        | TensorType::IQ4_NL
        | TensorType::IQ4_XS => &[Half(0)],
        TensorType::Q4_1 | TensorType::Q5_1 | TensorType::Q8_1 | TensorType::Q4_K | TensorType::Q5_K => {
            &[Half(0), Half(2)]
        }
        TensorType::Q2_K => &[Half(80), Half(82)],
        TensorType::Q3_K => &[Half(108)],
        TensorType::Q6_K => &[Half(208)],
        TensorType::TQ1_0 => &[Half(52)],
        TensorType::TQ2_0 => &[Half(64)],
        TensorType::MXFP4 => &[Exponent(0)],
        TensorType::IQ1_M => &[Scattered(48)],
        TensorType::I8 | TensorType::I16 | TensorType::I32 | TensorType::I64 | TensorType::NVFP4 => &[],
    }
}

/// What a number is, if it is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    Nan,
    Infinite,
}

impl Float {
    /// What is wrong with this number of `block`.
    fn flaw(self, block: &[u8]) -> Option<Flaw> {
        match self {
            Half(at) => half(u16::from_le_bytes(part(block, at))),
            Brain(at) => single(u32::from(u16::from_le_bytes(part(block, at))) << 16),
            Single(at) => single(u32::from_le_bytes(part(block, at))),
            Double(at) => double(u64::from_le_bytes(part(block, at))),
            Exponent(at) => (block[at] == u8::MAX).then_some(Flaw::Nan),
            Scattered(at) => {
                let nibble = |k: usize| u16::from_le_bytes(part(block, at + 2 * k)) >> 12;
                half(nibble(0) | nibble(1) << 4 | nibble(2) << 8 | nibble(3) << 12)
            }
        }
    }
}

fn part<const N: usize>(block: &[u8], at: usize) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&block[at..at + N]);
    bytes
}

fn half(bits: u16) -> Option<Flaw> {
    (bits & 0x7c00 == 0x7c00).then(|| flaw_of(bits & 0x03ff == 0))
}

fn single(bits: u32) -> Option<Flaw> {
    (bits & 0x7f80_0000 == 0x7f80_0000).then(|| flaw_of(bits & 0x007f_ffff == 0))
}

fn double(bits: u64) -> Option<Flaw> {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    (bits & EXPONENT == EXPONENT).then(|| flaw_of(bits & !EXPONENT & (u64::MAX >> 1) == 0))
}

const fn flaw_of(no_fraction: bool) -> Flaw {
    if no_fraction { Flaw::Infinite } else { Flaw::Nan }
}

/// Bytes that are looked at in a glance.
const PAGE: usize = 4_096;

/// A word of 64 bits with several numbers in it: models are gigabytes, and almost no number is none.
#[derive(Clone, Copy, Debug)]
struct Lanes {
    /// The exponents.
    exponents: u64,
    /// The lowest bit of each exponent: added to one that is all ones, it carries into the sign's place.
    one: u64,
    /// The signs.
    signs: u64,
}

impl Lanes {
    const fn of(kind: TensorType) -> Option<Self> {
        let (exponent, one, sign, times) = match kind {
            TensorType::F16 => (0x7c00, 0x0400, 0x8000, 0x0001_0001_0001_0001),
            TensorType::BF16 => (0x7f80, 0x0080, 0x8000, 0x0001_0001_0001_0001),
            TensorType::F32 => (0x7f80_0000, 0x0080_0000, 0x8000_0000, 0x0000_0001_0000_0001),
            _ => return None,
        };
        Some(Self { exponents: exponent * times, one: one * times, signs: sign * times })
    }

    /// Whether all of `bytes` are numbers for sure: what fills no word is not known.
    fn are_numbers(self, bytes: &[u8]) -> bool {
        let (words, rest) = bytes.as_chunks::<8>();
        let mut carries = 0;
        for word in words {
            carries |= (u64::from_le_bytes(*word) & self.exponents) + self.one;
        }
        rest.is_empty() && carries & self.signs == 0
    }
}

/// How many blocks hold a flaw, and the first of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    /// Blocks; for plain numbers, numbers.
    pub(super) blocks: u64,
    /// Index of the first in its tensor.
    pub(super) first: u64,
}

/// The flaws of one tensor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flaws {
    pub(super) nan: Count,
    pub(super) infinite: Count,
}

impl Flaws {
    /// Looks at whole blocks of `kind`, of which the first is block `at` of its tensor.
    pub(super) fn look(&mut self, kind: TensorType, bytes: &[u8], at: u64) {
        if floats(kind).is_empty() {
            return;
        }
        let size = kind.block_bytes() as usize;
        let Some(lanes) = Lanes::of(kind) else { return self.look_closely(kind, bytes, at) };
        for (index, page) in bytes.chunks(PAGE).enumerate() {
            if !lanes.are_numbers(page) {
                self.look_closely(kind, page, at + (index * (PAGE / size)) as u64);
            }
        }
    }

    /// Looks at every block.
    fn look_closely(&mut self, kind: TensorType, bytes: &[u8], at: u64) {
        let (floats, size) = (floats(kind), kind.block_bytes() as usize);
        for (index, block) in bytes.chunks_exact(size).enumerate() {
            let (mut nan, mut infinite) = (false, false);
            for float in floats {
                match float.flaw(block) {
                    None => {}
                    Some(Flaw::Nan) => nan = true,
                    Some(Flaw::Infinite) => infinite = true,
                }
            }
            if nan || infinite {
                self.count(nan, infinite, at + index as u64);
            }
        }
    }

    fn count(&mut self, nan: bool, infinite: bool, block: u64) {
        for (yes, count) in [(nan, &mut self.nan), (infinite, &mut self.infinite)] {
            if yes && count.blocks == 0 {
                count.first = block;
            }
            count.blocks += u64::from(yes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::{Exact, TYPES};

    /// The bytes of a number's place in a block.
    fn places(kind: TensorType) -> Vec<usize> {
        let range = |float: &Float| match *float {
            Half(at) | Brain(at) => at..at + 2,
            Single(at) => at..at + 4,
            Double(at) => at..at + 8,
            Exponent(at) => at..at + 1,
            Scattered(at) => at..at + 8,
        };
        floats(kind).iter().flat_map(range).collect()
    }

    /// The same integers at another scale differ where the scales are, and nowhere else: what writes the blocks knows
    /// nothing of this table.
    #[test]
    fn the_numbers_are_where_the_scales_are_written() {
        // In a plain type the numbers are the weights themselves, and NVFP4's scales are always numbers.
        let scaled = |kind: &TensorType| kind.block_elements() > 1 && *kind != TensorType::NVFP4;
        for (levels, kinds) in TYPES {
            for kind in kinds.iter().copied().filter(scaled) {
                let at = |unit: f32| Exact::random("w", 256, levels, unit).bytes(kind);
                let (one, other) = (at(1.0 / 2048.0), at(1.0 / 512.0));
                let size = kind.block_bytes() as usize;
                let mut differ: Vec<usize> =
                    (0..one.len()).filter(|i| one[*i] != other[*i]).map(|i| i % size).collect();
                differ.sort_unstable();
                differ.dedup();
                let places = places(kind);
                assert!(
                    !differ.is_empty() && differ.iter().all(|i| places.contains(i)),
                    "{kind}: {differ:?}"
                );
                for float in floats(kind) {
                    let (Half(at) | Exponent(at)) = *float else { continue };
                    assert!(differ.iter().any(|i| (at..at + 2).contains(i)), "{kind}: nothing at {at}");
                }
            }
        }
    }

    #[test]
    fn every_number_of_every_type_can_be_seen_to_be_none() {
        for &kind in TensorType::ALL {
            let size = kind.block_bytes() as usize;
            let sound = vec![0_u8; size * 3];
            let seen = |bytes: &[u8]| {
                let mut flaws = Flaws::default();
                flaws.look(kind, bytes, 7);
                flaws
            };
            assert_eq!(seen(&sound), Flaws::default(), "{kind}");
            for float in floats(kind) {
                let mut nan = sound.clone();
                let mut infinite = sound.clone();
                put(*float, &mut nan[size..], true);
                put(*float, &mut infinite[size..], false);
                let one = Count { blocks: 1, first: 8 };
                assert_eq!(seen(&nan).nan, one, "{kind}");
                if !matches!(float, Exponent(_)) {
                    let flaws = Flaws { infinite: one, ..Flaws::default() };
                    assert_eq!(seen(&infinite), flaws, "{kind}");
                }
            }
        }
    }

    /// Far from the first page, and beside a word's edge: what is seen in a glance is seen in the right place.
    #[test]
    fn a_flaw_is_placed_wherever_it_is() {
        for kind in [TensorType::F16, TensorType::BF16, TensorType::F32, TensorType::F64, TensorType::Q8_0] {
            let size = kind.block_bytes() as usize;
            for place in [0, 1, PAGE / 2 - 1, PAGE / 2, PAGE, 3 * PAGE + 5] {
                for fill in [0x00, 0x01, 0x7b] {
                    let mut bytes = vec![fill; size * (4 * PAGE + 3)];
                    put(floats(kind)[0], &mut bytes[size * place..], false);
                    let mut flaws = Flaws::default();
                    flaws.look(kind, &bytes, 100);
                    let one = Count { blocks: 1, first: 100 + place as u64 };
                    assert_eq!(flaws, Flaws { infinite: one, ..Flaws::default() }, "{kind} {place} {fill}");
                }
            }
        }
    }

    /// Puts NaN, or minus infinity, in the place of `float`.
    fn put(float: Float, block: &mut [u8], nan: bool) {
        let mut at = |at: usize, bytes: &[u8]| block[at..at + bytes.len()].copy_from_slice(bytes);
        let half: u16 = if nan { 0x7e00 } else { 0xfc00 };
        match float {
            Half(place) => at(place, &half.to_le_bytes()),
            Brain(place) => at(place, &(if nan { 0x7fc0_u16 } else { 0xff80 }).to_le_bytes()),
            Single(place) => at(place, &(if nan { f32::NAN } else { f32::NEG_INFINITY }).to_le_bytes()),
            Double(place) => at(place, &(if nan { f64::NAN } else { f64::NEG_INFINITY }).to_le_bytes()),
            Exponent(place) => at(place, &[255]),
            Scattered(place) => (0..4).for_each(|k| {
                let nibble = (half >> (4 * k) & 15) << 12;
                at(place + 2 * k, &nibble.to_le_bytes());
            }),
        }
    }
}
