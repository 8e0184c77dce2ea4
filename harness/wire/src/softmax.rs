//! The logarithm of a sum of exponentials, fast: a vocabulary has a quarter of a million logits, and each scored position
//! needs it once.

/// Natural logarithm of the sum of exponentials of `logits`, which are finite and at least one. Right to 1e-12.
pub(crate) fn log_sum_exp(logits: &[f32]) -> f64 {
    let max = f64::from(maximum(logits));
    let mut sums = [0.0; LANES];
    let chunks = logits.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (sum, &logit) in sums.iter_mut().zip(chunk) {
            *sum += exp(f64::from(logit) - max);
        }
    }
    let rest: f64 = rest.iter().map(|&logit| exp(f64::from(logit) - max)).sum();
    max + (sums.iter().sum::<f64>() + rest).ln()
}

/// So many sums side by side, for the processor's vectors.
const LANES: usize = 8;

/// 3 · 2^51: a number of this size has no room for a fraction, so adding it rounds, and leaves the whole number in the
/// lowest bits.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// Below it an exponential counts for nothing beside 1, and its exponent still fits.
const LEAST: f64 = -700.0;

/// e^x for x ≤ 0, to 3e-13 of itself: 2^k · e^r with |r| ≤ ln 2 / 2, e^r by its series up to r^10. Nothing in it branches
/// or calls, so that a compiler makes vectors of it.
#[inline(always)]
fn exp(x: f64) -> f64 {
    let x = if x < LEAST { LEAST } else { x };
    let rounded = x * std::f64::consts::LOG2_E + ROUNDER;
    let r = x - (rounded - ROUNDER) * std::f64::consts::LN_2;
    let mut series = 1.0 / 3_628_800.0;
    for factor in [362_880.0, 40_320.0, 5_040.0, 720.0, 120.0, 24.0, 6.0, 2.0, 1.0, 1.0] {
        series = series * r + 1.0 / factor;
    }
    // The whole number is added to the exponent, which stands in bits 52 and up.
    f64::from_bits(series.to_bits().wrapping_add(rounded.to_bits() << 52))
}

fn maximum(logits: &[f32]) -> f32 {
    let mut best = [f32::NEG_INFINITY; LANES];
    let chunks = logits.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (best, &logit) in best.iter_mut().zip(chunk) {
            *best = if logit > *best { logit } else { *best };
        }
    }
    best.iter().chain(rest).copied().fold(f32::NEG_INFINITY, f32::max)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plain(logits: &[f32]) -> f64 {
        let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f64 = logits.iter().map(|&logit| (f64::from(logit) - f64::from(max)).exp()).sum();
        f64::from(max) + sum.ln()
    }

    #[test]
    fn exponentials_are_right_over_their_whole_range() {
        for step in 0..70_000 {
            let x = f64::from(step) * -0.01;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-12, "e^{x} is not {}", exp(x));
        }
        assert_eq!(exp(0.0), 1.0);
        assert!(exp(-1e30) < 1e-300 && exp(f64::NEG_INFINITY) < 1e-300);
    }

    proptest! {
        #[test]
        fn as_the_plain_sum(logits in prop::collection::vec(-90_f32..90.0, 1..100), far in -1e30_f32..1e30) {
            let mut logits = logits;
            prop_assert!((log_sum_exp(&logits) - plain(&logits)).abs() < 1e-11);
            logits.push(far);
            let (fast, plain) = (log_sum_exp(&logits), plain(&logits));
            prop_assert!((fast - plain).abs() <= 1e-11 * plain.abs().max(1.0), "{fast} {plain}");
        }
    }
}
