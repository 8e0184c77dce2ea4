//! A row of weights, and its bytes in a type.

use half::{bf16, f16};

use super::Levels;
use super::{codebook, legacy, super_block, ternary};
use crate::TensorType;
use crate::compile::Noise;

/// Weights of a super-block: every block of every type is a part of it.
pub(super) const SUPER_BLOCK: usize = 256;
/// Weights that share an exponent at least.
const GROUP: usize = 32;

/// 256 weights: integers times powers of two, one power for 32 of them.
#[derive(Clone, Debug)]
pub(super) struct SuperBlock {
    pub(super) integers: [i8; SUPER_BLOCK],
    pub(super) exponents: [i8; SUPER_BLOCK / GROUP],
}

/// A matrix of weights that every type which can hold its levels holds exactly.
#[derive(Clone, Debug)]
pub(crate) struct Exact(Vec<SuperBlock>);

impl Exact {
    /// The `count` weights (a multiple of 256) of the tensor `name`: its noise picks among `levels`, times `unit`, a
    /// power of two, times a power of two of their own.
    pub(crate) fn random(name: &str, count: usize, levels: Levels, unit: f32) -> Self {
        assert!(
            count.is_multiple_of(SUPER_BLOCK),
            "{name}: {count} weights are no whole number of super-blocks"
        );
        let mut noise = Noise::named(name);
        let lowest = exponent_of(unit) + levels.exponent();
        let groups = levels.shared() / GROUP;
        let block = |_| {
            let values = levels.values();
            let integers = std::array::from_fn(|_| values[(noise.bits() >> 32) as usize % values.len()]);
            let mut exponents = [lowest; SUPER_BLOCK / GROUP];
            for shared in exponents.chunks_mut(groups) {
                shared.fill(lowest + (noise.bits() >> 63) as i8);
            }
            SuperBlock { integers, exponents }
        };
        Self((0..count / SUPER_BLOCK).map(block).collect())
    }

    /// Their bytes in the type `kind`.
    pub(crate) fn bytes(&self, kind: TensorType) -> Vec<u8> {
        let mut out = Vec::new();
        self.0.iter().for_each(|block| block.put(kind, &mut out));
        out
    }
}

/// The power of two that `unit` is.
fn exponent_of(unit: f32) -> i8 {
    let exponent = ((unit.to_bits() >> 23) as i32 - 127) as i8;
    assert!(power(exponent) == unit, "{unit} is no power of two");
    exponent
}

/// 2 to the `exponent`.
pub(super) fn power(exponent: i8) -> f32 {
    f32::from_bits(((i32::from(exponent) + 127) as u32) << 23)
}

/// The bytes of 2 to the `exponent` in 16 bits.
pub(super) fn half(exponent: i8) -> [u8; 2] {
    let half = f16::from_f32(power(exponent));
    assert!(half.to_f32() == power(exponent), "2^{exponent} is too small or too large for 16 bits");
    half.to_le_bytes()
}

impl SuperBlock {
    fn put(&self, kind: TensorType, out: &mut Vec<u8>) {
        match kind {
            TensorType::F32 => out.extend(self.values().flat_map(f32::to_le_bytes)),
            TensorType::F16 => out.extend(self.values().map(f16::from_f32).flat_map(f16::to_le_bytes)),
            TensorType::BF16 => out.extend(self.values().map(bf16::from_f32).flat_map(bf16::to_le_bytes)),
            TensorType::Q4_0 => self.each(legacy::q4_0, out),
            TensorType::Q4_1 => self.each(legacy::q4_1, out),
            TensorType::Q5_0 => self.each(legacy::q5_0, out),
            TensorType::Q5_1 => self.each(legacy::q5_1, out),
            TensorType::Q8_0 => self.each(legacy::q8_0, out),
            TensorType::IQ4_NL => self.each(codebook::iq4_nl, out),
            TensorType::MXFP4 => self.each(codebook::mxfp4, out),
            TensorType::NVFP4 => codebook::nvfp4(self, out),
            TensorType::IQ4_XS => codebook::iq4_xs(self, out),
            TensorType::Q2_K => super_block::q2_k(self, out),
            TensorType::Q3_K => super_block::q3_k(self, out),
            TensorType::Q4_K => super_block::q4_k(self, out),
            TensorType::Q5_K => super_block::q5_k(self, out),
            TensorType::Q6_K => super_block::q6_k(self, out),
            TensorType::TQ1_0 => ternary::tq1_0(self, out),
            TensorType::TQ2_0 => ternary::tq2_0(self, out),
            TensorType::Q1_0 => ternary::q1_0(self, out),
            TensorType::Q2_0 => ternary::q2_0(self, out),
            other => unreachable!("no fixture is written in {other}"),
        }
    }

    /// Puts one block after the other of a type whose blocks hold 32 weights.
    fn each(&self, put: fn(&[i8; GROUP], i8, &mut Vec<u8>), out: &mut Vec<u8>) {
        self.groups().for_each(|(integers, exponent)| put(integers, exponent, out));
    }

    /// The weights.
    fn values(&self) -> impl Iterator<Item = f32> + '_ {
        self.groups()
            .flat_map(|(integers, exponent)| integers.iter().map(move |n| f32::from(*n) * power(exponent)))
    }

    /// 32 integers and their exponent, one after the other.
    pub(super) fn groups(&self) -> impl Iterator<Item = (&[i8; GROUP], i8)> {
        self.integers.as_chunks::<GROUP>().0.iter().zip(self.exponents)
    }

    /// The lowest exponent, and for each group by which factor (a small power of two) it is above it.
    pub(super) fn scales(&self) -> (i8, [u8; SUPER_BLOCK / GROUP]) {
        let lowest = self.exponents.into_iter().min().unwrap_or_default();
        (lowest, self.exponents.map(|exponent| 1 << (exponent - lowest)))
    }

    /// The exponent that all of it shares.
    pub(super) fn exponent(&self) -> i8 {
        let (lowest, scales) = self.scales();
        assert!(scales.iter().all(|scale| *scale == 1), "this type has one scale for all of a block");
        lowest
    }
}

/// `value`, moved up by `offset`, which must make it fit into `bits` bits.
pub(super) fn moved(value: i8, offset: i8, bits: u32) -> u8 {
    let moved = i16::from(value) + i16::from(offset);
    assert!((0..1 << bits).contains(&moved), "{value} does not fit into {bits} bits around −{offset}");
    moved as u8
}

/// Which types hold which weights exactly, for tests.
#[cfg(test)]
pub(crate) const TYPES: [(Levels, &[TensorType]); 4] = [
    (
        Levels::FourBits,
        &[
            TensorType::F32,
            TensorType::F16,
            TensorType::BF16,
            TensorType::Q4_0,
            TensorType::Q4_1,
            TensorType::Q5_0,
            TensorType::Q5_1,
            TensorType::Q8_0,
            TensorType::Q4_K,
            TensorType::Q5_K,
            TensorType::Q6_K,
        ],
    ),
    (
        Levels::Ternary,
        &[
            TensorType::Q2_K,
            TensorType::Q3_K,
            TensorType::TQ1_0,
            TensorType::TQ2_0,
            TensorType::Q2_0,
            TensorType::MXFP4,
            TensorType::NVFP4,
        ],
    ),
    (Levels::Signs, &[TensorType::Q1_0]),
    (Levels::Codebook, &[TensorType::IQ4_NL, TensorType::IQ4_XS, TensorType::Q8_0]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_its_size_and_no_two_rows_are_alike() {
        for (levels, kinds) in TYPES {
            let weights = Exact::random("w", 512, levels, 1.0 / 2048.0);
            for kind in kinds {
                let bytes = weights.bytes(*kind);
                assert_eq!(Some(bytes.len() as u64), kind.bytes(&[256, 2]), "{kind}");
                assert_ne!(bytes[..bytes.len() / 2], bytes[bytes.len() / 2..], "{kind}");
            }
        }
    }

    #[test]
    fn sixteen_bits_hold_every_weight() {
        for (levels, _) in TYPES {
            for block in &Exact::random("w", 1024, levels, 1.0 / 128.0).0 {
                for value in block.values() {
                    assert_eq!(f16::from_f32(value).to_f32().to_bits(), value.to_bits());
                    assert_eq!(bf16::from_f32(value).to_f32().to_bits(), value.to_bits());
                }
            }
        }
    }

    #[test]
    fn their_spread_is_that_of_other_random_weights() {
        for (levels, _) in TYPES {
            let weights = Exact::random("spread", 1 << 16, levels, 1.0);
            let values: Vec<f32> = weights.0.iter().flat_map(SuperBlock::values).collect();
            let square = values.iter().map(|value| value * value).sum::<f32>() / values.len() as f32;
            assert!((80.0..260.0).contains(&square.sqrt()), "{levels:?}: {}", square.sqrt());
        }
    }
}
