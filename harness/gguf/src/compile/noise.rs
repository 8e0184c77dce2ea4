//! A little deterministic noise, so that no weight is dead and every operation of a backend matters.

/// A stream of small numbers that is the same on every machine: SplitMix64 (Steele, Lea and Flood, 2014),
/// integers only, scaled by a power of two.
#[derive(Clone, Debug)]
pub(crate) struct Noise(u64);

impl Noise {
    /// The stream that belongs to `name`: FNV-1a of it is the seed.
    pub(crate) fn named(name: &str) -> Self {
        Self(name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        }))
    }

    /// The next 64 bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Fills `values` with integers from −127 to 127 times `unit`, a power of two: exact in 16-bit floats.
    pub(crate) fn fill(&mut self, values: &mut [f32], unit: f32) {
        for chunk in values.chunks_mut(8) {
            for (value, byte) in chunk.iter_mut().zip(self.bits().to_le_bytes()) {
                *value = f32::from(i8::from_le_bytes([byte]).max(-127)) * unit;
            }
        }
    }
    /// Fills `values` with bell-shaped integers, each the sum of four uniform bytes, times `unit`, a power of two:
    /// from −508 to 508, with a standard deviation of 147, exact in 16-bit floats.
    pub(crate) fn fill_bell(&mut self, values: &mut [f32], unit: f32) {
        for pair in values.chunks_mut(2) {
            let bytes = self.bits().to_le_bytes();
            for (value, four) in pair.iter_mut().zip(bytes.as_chunks::<4>().0) {
                let sum: i32 = four.iter().map(|byte| i32::from(i8::from_le_bytes([*byte]).max(-127))).sum();
                *value = sum as f32 * unit;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use half::f16;

    use super::Noise;

    #[test]
    fn noise_is_fixed_small_centred_and_exact_in_halves() {
        let mut flat = vec![0.0; 10_001];
        Noise::named("a").fill(&mut flat, 1.0 / 8192.0);
        let mut bell = vec![0.0; 10_001];
        Noise::named("b").fill_bell(&mut bell, 1.0 / 1024.0);
        assert_eq!(flat[..3].iter().map(|value| value * 8192.0).collect::<Vec<_>>(), [39.0, -123.0, -101.0]);
        for (values, most, deviation) in
            [(&flat, 127.0 / 8192.0, 73.3 / 8192.0), (&bell, 508.0 / 1024.0, 146.6 / 1024.0)]
        {
            assert!(
                values.iter().all(|value| value.abs() <= most && f16::from_f32(*value).to_f32() == *value)
            );
            let mean = values.iter().sum::<f32>() / values.len() as f32;
            let variance = values.iter().map(|value| value * value).sum::<f32>() / values.len() as f32;
            assert!(mean.abs() < deviation / 30.0, "{mean}");
            assert!((variance.sqrt() / deviation - 1.0).abs() < 0.03, "{}", variance.sqrt());
        }
    }
}
