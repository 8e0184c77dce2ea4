//! What is kept of a logit vector.

use proptest::{collection::vec, prelude::*};
use wire::{Position, SKETCH_BUCKETS, Sketch, TOP_LOGITS};

fn logits(count: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<f32>> {
    vec(-30.0_f32..30.0, count)
}

/// Logits with ties and everything that is not finite.
fn broken_logits() -> impl Strategy<Value = Vec<f32>> {
    let logit = prop_oneof![
        5 => (-3..3_i8).prop_map(f32::from),
        5 => -30.0_f32..30.0,
        1 => Just(f32::NAN),
        1 => Just(f32::INFINITY),
        1 => Just(f32::NEG_INFINITY),
    ];
    vec(logit, 0..120)
}

fn close(one: f64, other: f64, tolerance: f64) -> bool {
    (one - other).abs() <= tolerance
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_sketch_estimates_the_distance(one in logits(1000), noise in logits(1000)) {
        let other: Vec<f32> = one.iter().zip(&noise).map(|(a, b)| a + b / 100.0).collect();
        let exact: f64 = one.iter().zip(&other).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2)).sum();
        let estimate = Sketch::of(&one).distance2(&Sketch::of(&other));
        // Six standard errors of √(2 / buckets).
        let error = 6.0 * (2.0 / SKETCH_BUCKETS as f64).sqrt();
        prop_assert!(close(estimate / exact, 1.0, error), "{estimate} for {exact}");
    }

    #[test]
    fn a_sketch_is_linear(one in logits(500), factor in -4.0_f32..4.0) {
        let scaled: Vec<f32> = one.iter().map(|logit| logit * factor).collect();
        let zero = Sketch::of(&[]);
        let length = Sketch::of(&one).length2();
        prop_assert!(close(Sketch::of(&scaled).length2(), length * f64::from(factor).powi(2), 1e-3 * length));
        prop_assert!(close(Sketch::of(&one).distance2(&zero), length, 0.0));
        let back: Vec<f32> = one.iter().map(|logit| -logit).collect();
        prop_assert!(close(Sketch::of(&one).distance2(&Sketch::of(&back)), 4.0 * length, 1e-3 * length));
    }

    #[test]
    fn the_highest_logits_are_kept(logits in broken_logits()) {
        let mut expected: Vec<(i32, f32)> =
            logits.iter().enumerate().map(|(id, logit)| (id as i32, *logit)).filter(|(_, logit)| logit.is_finite()).collect();
        // A stable sort leaves the lowest id first on a tie.
        expected.sort_by(|(_, a), (_, b)| b.partial_cmp(a).unwrap());
        expected.truncate(TOP_LOGITS);
        let position = Position::of(7, &logits, &[], None);
        prop_assert_eq!(position.top, expected);
        prop_assert_eq!(position.nan as usize, logits.iter().filter(|logit| logit.is_nan()).count());
        prop_assert_eq!(position.infinite as usize, logits.iter().filter(|logit| logit.is_infinite()).count());
        let sound = !logits.is_empty() && logits.iter().all(|logit| logit.is_finite());
        prop_assert_eq!(position.log_sum_exp.is_some(), sound);
    }

    #[test]
    fn probabilities_sum_to_one(logits in logits(1..200)) {
        let position = Position::of(0, &logits, &[], None);
        let sum: f64 = logits.iter().map(|logit| position.log_probability(*logit).unwrap().exp()).sum();
        prop_assert!(close(sum, 1.0, 1e-9), "{sum}");
    }

    #[test]
    fn stale_means_the_same_bytes(logits in broken_logits(), at in any::<prop::sample::Index>()) {
        prop_assert!(!Position::of(0, &logits, &[], None).stale);
        prop_assert!(Position::of(0, &logits, &[], Some(&logits)).stale);
        if !logits.is_empty() {
            let mut other = logits.clone();
            let at = at.index(other.len());
            other[at] = f32::from_bits(other[at].to_bits() ^ 1);
            prop_assert!(!Position::of(0, &logits, &[], Some(&other)).stale);
            prop_assert!(!Position::of(0, &logits, &[], Some(&logits[1..])).stale);
        }
    }
}

#[test]
fn a_sketch_never_changes() {
    let logits: Vec<f32> = (0..1000).map(|id| (id % 17) as f32 - 8.0).collect();
    // Sketches in goldens and recordings are compared with new ones.
    let json = serde_json::to_string(&Sketch::of(&logits)).unwrap();
    assert_eq!(&json[..44], "\"AAAAAOBAAGBBAIA/AIA/AODAAEBAAEBAAMBAAKBAAEB");
    assert_eq!(Sketch::of(&logits).length2(), 24413.0);
}

#[test]
fn a_sketch_of_another_size_is_refused() {
    let json = serde_json::to_string(&Sketch::of(&[1.0])).unwrap();
    let shorter = format!("\"{}\"", &json[1..json.len() - 9]);
    let error = serde_json::from_str::<Sketch>(&shorter).unwrap_err();
    assert!(error.to_string().contains("768 bytes"), "{error}");
    assert!(serde_json::from_str::<Sketch>("\"no base64!\"").is_err());
}

#[test]
fn numbers_that_are_none_do_not_spoil_a_sketch() {
    let sound = Sketch::of(&[1.0, 0.0, 2.0]);
    assert_eq!(Sketch::of(&[1.0, f32::NAN, 2.0]), sound);
    assert_eq!(Sketch::of(&[1.0, f32::NEG_INFINITY, 2.0]), sound);
}

#[test]
fn named_logits_are_kept_whatever_they_are() {
    let position = Position::of(0, &[1.5, f32::NAN, -9.0], &[2, 1, 3, -1], None);
    let named: Vec<(i32, Option<f32>)> = position.named.iter().map(|named| (named.id, named.logit)).collect();
    assert_eq!(named, [(2, Some(-9.0)), (1, None)]);
    let position = Position::of(0, &[1000.0, 1000.0], &[], None);
    let half = position.log_probability(1000.0).unwrap();
    assert!((half - 0.5_f64.ln()).abs() < 1e-12, "{half}");
}
