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
}
