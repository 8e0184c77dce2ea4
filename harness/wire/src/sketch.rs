//! A CountSketch of a logit vector: 256 numbers from which the distance of two vectors is estimated.
//!
//! Charikar, Chen and Farach-Colton, "Finding frequent items in data streams" (2002): every coordinate goes
//! with a random sign into a random bucket. Sketches are linear, so the squared length of the difference of
//! two sketches estimates that of the difference of the vectors, with a relative standard error of
//! √(2 / buckets) = 8.8 %.
//!
//! A bucket is an f32 rounded to 16 significant bits, so that it takes 3 bytes: that adds at most 2⁻¹⁷ of a bucket, an
//! NMSE of 6e-11, and saves a sixth of a position.

use std::sync::OnceLock;

use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// Buckets in a sketch.
pub const SKETCH_BUCKETS: usize = 256;

/// Seed of bucket and sign. Sketches made with another seed cannot be compared: changing it changes the protocol.
pub const SKETCH_SEED: u64 = 0x6c6c_616d_6120_6370;

/// Bytes of a bucket: an f32 without the last 8 bits of its fraction, little-endian.
const BUCKET_BYTES: usize = 3;

/// A CountSketch; in JSON the base64 of its buckets.
#[derive(Clone, Debug, PartialEq)]
pub struct Sketch(Box<[f32; SKETCH_BUCKETS]>);

impl Sketch {
    /// Sketches `logits`; coordinates that are not finite are left out.
    pub fn of(logits: &[f32]) -> Self {
        let mut sketcher = Sketcher::default();
        sketcher.add(logits);
        sketcher.finish()
    }

    /// Takes the coordinate `id`, whose value is known to be `logit`, out of the sketch.
    pub fn remove(&mut self, id: i32, logit: f32) {
        let Ok(index) = u64::try_from(id) else { return };
        let (bucket, sign) = place(index);
        self.0[bucket] = (f64::from(self.0[bucket]) - sign * f64::from(logit)) as f32;
    }

    /// Estimates the squared Euclidean distance of the two vectors.
    pub fn distance2(&self, other: &Self) -> f64 {
        self.0.iter().zip(other.0.iter()).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2)).sum()
    }

    /// Estimates the squared Euclidean length of the vector.
    pub fn length2(&self) -> f64 {
        self.0.iter().map(|a| f64::from(*a).powi(2)).sum()
    }
}

/// Makes a [`Sketch`] of a vector that comes in pieces.
#[derive(Clone, Debug)]
pub struct Sketcher {
    sums: Box<[f64; SKETCH_BUCKETS]>,
    next: u64,
}

impl Default for Sketcher {
    fn default() -> Self {
        Self { sums: Box::new([0.0; SKETCH_BUCKETS]), next: 0 }
    }
}

impl Sketcher {
    /// The next coordinates; those that are not finite are left out.
    pub fn add(&mut self, values: &[f32]) {
        let known = places();
        let begin = usize::try_from(self.next).unwrap_or(usize::MAX).min(known.len());
        let (near, far) = values.split_at(values.len().min(known.len() - begin));
        for (&value, &(bucket, sign)) in near.iter().zip(&known[begin..]) {
            if value.is_finite() {
                self.sums[usize::from(bucket)] += f64::from(value * f32::from(sign));
            }
        }
        for (index, &value) in (self.next + near.len() as u64..).zip(far) {
            if value.is_finite() {
                let (bucket, sign) = place(index);
                self.sums[bucket] += sign * f64::from(value);
            }
        }
        self.next += values.len() as u64;
    }

    /// The sketch of everything that was added.
    pub fn finish(self) -> Sketch {
        Sketch(Box::new(self.sums.map(|sum| rounded(sum as f32))))
    }
}

/// The nearest f32 whose last 8 bits are 0, on a tie the one that is even; what would overflow stays finite.
fn rounded(value: f32) -> f32 {
    let bits = value.to_bits();
    let nearest = f32::from_bits(bits.saturating_add(0x7f + (bits >> 8 & 1)) & !0xff);
    if nearest.is_finite() || !value.is_finite() { nearest } else { f32::from_bits(bits & !0xff) }
}

/// The bucket of a coordinate, and its sign.
pub(crate) fn place(index: u64) -> (usize, f64) {
    let hash = mix(SKETCH_SEED ^ index);
    let sign = if hash & (1 << 63) == 0 { 1.0 } else { -1.0 };
    ((hash % SKETCH_BUCKETS as u64) as usize, sign)
}

/// The places of the first coordinates, kept: they are the same for every vector, and each takes two multiplications. More
/// than the largest vocabulary has tokens.
fn places() -> &'static [(u8, i8)] {
    static PLACES: OnceLock<Vec<(u8, i8)>> = OnceLock::new();
    PLACES.get_or_init(|| {
        let kept = |index| {
            let (bucket, sign) = place(index);
            (bucket as u8, sign as i8)
        };
        (0..1 << 18).map(kept).collect()
    })
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Serialize for Sketch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes: Vec<u8> = self
            .0
            .iter()
            .flat_map(|bucket| bucket.to_le_bytes().into_iter().skip(4 - BUCKET_BYTES))
            .collect();
        serializer.serialize_str(&STANDARD_NO_PAD.encode(bytes))
    }
}

impl<'de> Deserialize<'de> for Sketch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = STANDARD_NO_PAD.decode(&text).map_err(D::Error::custom)?;
        // What was written before buckets were rounded has four bytes each, and is rounded now.
        let size = bytes.len() / SKETCH_BUCKETS;
        if !(BUCKET_BYTES..=4).contains(&size) || bytes.len() % SKETCH_BUCKETS != 0 {
            let expected = SKETCH_BUCKETS * BUCKET_BYTES;
            return Err(D::Error::custom(format!("a sketch has {expected} bytes, not {}", bytes.len())));
        }
        let mut buckets = [0.0; SKETCH_BUCKETS];
        for (bucket, chunk) in buckets.iter_mut().zip(bytes.chunks_exact(size)) {
            let mut whole = [0; 4];
            whole[4 - size..].copy_from_slice(chunk);
            *bucket = rounded(f32::from_le_bytes(whole));
        }
        Ok(Self(Box::new(buckets)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_rounded_to_the_nearest() {
        let step = f32::from_bits(1.0_f32.to_bits() + 0x100) - 1.0;
        for (value, expected) in [
            (0.0, 0.0),
            (1.0, 1.0),
            (1.0 + step, 1.0 + step),
            (1.0 + step * 0.49, 1.0),
            (1.0 + step * 0.5, 1.0),
            (1.0 + step * 1.5, 1.0 + step * 2.0),
            (-1.0 - step * 0.51, -1.0 - step),
            (f32::INFINITY, f32::INFINITY),
        ] {
            assert_eq!(rounded(value).to_bits(), f32::to_bits(expected), "{value}");
        }
        assert!(rounded(f32::MAX).is_finite());
        assert!(rounded(f32::from_bits(0x7f7f_ffff)).is_finite());
    }

    #[test]
    fn kept_places_are_the_places() {
        let values: Vec<f32> = (0..(1 << 18) + 500).map(|index| (index as f32).cos()).collect();
        let mut sums = [0.0; SKETCH_BUCKETS];
        for (index, &value) in values.iter().enumerate() {
            let (bucket, sign) = place(index as u64);
            sums[bucket] += sign * f64::from(value);
        }
        let plain = Sketcher { sums: Box::new(sums), next: 0 }.finish();
        assert_eq!(Sketch::of(&values), plain);
        let mut pieces = Sketcher::default();
        values.chunks(65_536).for_each(|piece| pieces.add(piece));
        assert_eq!(pieces.finish(), plain);
    }

    #[test]
    fn a_sketch_of_four_bytes_a_bucket_is_read_too() {
        let sketch = Sketch::of(&(0..1000).map(|index| (index as f32).sin() * 7.3).collect::<Vec<_>>());
        let long: Vec<u8> = sketch.0.iter().flat_map(|bucket| bucket.to_le_bytes()).collect();
        let long = format!("\"{}\"", STANDARD_NO_PAD.encode(long));
        assert_eq!(serde_json::from_str::<Sketch>(&long).unwrap(), sketch);
        let short = serde_json::to_string(&sketch).unwrap();
        assert_eq!(short.len(), 1024 + 2);
        assert_eq!(serde_json::from_str::<Sketch>(&short).unwrap(), sketch);
        assert!(
            serde_json::from_str::<Sketch>("\"AAAA\"").unwrap_err().to_string().contains("768 bytes, not 3")
        );
    }
}
