//! NMSE, KL divergence and the end-of-generation shift between two [`Position`]s.

use std::collections::HashMap;

use wire::Position;

use super::Tolerance;

/// How far `ours` is from `reference` at one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Normalised mean squared error of the logits, estimated from the sketches.
    pub nmse: f64,
    /// A lower bound of KL(reference ‖ ours) in nats.
    pub kl: f64,
    /// Largest change of an end-of-generation token's log-probability, in nats.
    pub eog: f64,
    /// As `nmse`, without the tokens that are kept by name.
    pub nmse_of_others: f64,
    /// Largest change of a logit that is kept by name.
    pub named_shift: f32,
    /// Largest change of another logit that both keep.
    pub other_shift: f32,
}

impl Distance {
    /// Measures; `None` where either holds values that are not finite.
    pub fn between(ours: &Position, reference: &Position) -> Option<Self> {
        let (named_shift, other_shift) = logit_shifts(ours, reference);
        Some(Self {
            nmse: nmse(ours, reference),
            kl: kl_lower_bound(ours, reference)?,
            eog: eog_shift(ours, reference)?,
            nmse_of_others: nmse_of_others(ours, reference),
            named_shift,
            other_shift,
        })
    }

    /// Whether the tokens that are kept by name, the end-of-generation tokens among them, are wrong under `bound`
    /// and nothing else is.
    pub fn is_named_alone(&self, bound: &Tolerance) -> bool {
        f64::from(self.named_shift) > bound.eog
            && self.other_shift <= bound.near_tie
            && self.nmse_of_others <= bound.nmse
    }
}

/// Σ(ours − reference)² / Σ reference², as llama.cpp's test-backend-ops defines it, estimated from sketches.
pub fn nmse(ours: &Position, reference: &Position) -> f64 {
    let distance = ours.sketch.distance2(&reference.sketch);
    relative(distance, reference)
}

/// Numbers that ran over, so that nothing is known of their distance, are no agreement.
fn infinite_unless_known(distance: f64) -> f64 {
    if distance.is_nan() { f64::INFINITY } else { distance }
}

/// A squared distance over the squared length of the reference.
fn relative(distance2: f64, reference: &Position) -> f64 {
    let length2 = reference.sketch.length2().max(f64::MIN_POSITIVE);
    infinite_unless_known(if distance2 == 0.0 { 0.0 } else { distance2 / length2 })
}

/// A lower bound of KL(reference ‖ ours): the tokens that both keep, and all others as one. Merging outcomes
/// never raises a KL divergence, hence the bound.
pub fn kl_lower_bound(ours: &Position, reference: &Position) -> Option<f64> {
    let known: HashMap<i32, f32> = kept(ours).collect();
    let (mut kl, mut p_rest, mut q_rest) = (0.0, 1.0, 1.0);
    let mut seen = std::collections::HashSet::new();
    for (id, logit) in kept(reference) {
        let Some(&other) = known.get(&id) else { continue };
        if !seen.insert(id) {
            continue;
        }
        let (log_p, log_q) = (reference.log_probability(logit)?, ours.log_probability(other)?);
        kl += log_p.exp() * (log_p - log_q);
        p_rest -= log_p.exp();
        q_rest -= log_q.exp();
    }
    // What is left is a difference of numbers near 1: below this it is rounding.
    const ROUNDING: f64 = 1e-9;
    if p_rest > ROUNDING && q_rest > ROUNDING {
        kl += p_rest * (p_rest / q_rest).ln();
    } else if p_rest > ROUNDING {
        kl += p_rest * (p_rest / ROUNDING).ln();
    }
    Some(infinite_unless_known(kl).max(0.0))
}

fn kept(position: &Position) -> impl Iterator<Item = (i32, f32)> + '_ {
    let named = position.named.iter().filter_map(|named| Some((named.id, named.logit?)));
    position.top.iter().copied().chain(named)
}

/// Largest absolute change of a named token's log-probability, weighted by nothing: a lowered end-of-generation
/// logit must show however large the vocabulary. Tokens less likely than e⁻²⁰ in both are left out.
pub fn eog_shift(ours: &Position, reference: &Position) -> Option<f64> {
    const UNLIKELY: f64 = -20.0;
    let mut shift = 0.0_f64;
    for named in &reference.named {
        let other = ours.named.iter().find(|other| other.id == named.id);
        let (Some(logit), Some(other)) = (named.logit, other.and_then(|other| other.logit)) else { continue };
        let (p, q) = (reference.log_probability(logit)?, ours.log_probability(other)?);
        if p > UNLIKELY || q > UNLIKELY {
            shift = shift.max((p - q).abs());
        }
    }
    Some(shift)
}

/// As [`nmse`], with the named tokens taken out of both: sketches are linear, so what is known of a token can be
/// subtracted.
fn nmse_of_others(ours: &Position, reference: &Position) -> f64 {
    let without_named = |position: &Position| {
        let mut sketch = position.sketch.clone();
        for named in &position.named {
            sketch.remove(named.id, named.logit.unwrap_or_default());
        }
        sketch
    };
    let distance = without_named(ours).distance2(&without_named(reference));
    relative(distance, reference)
}

/// Largest change of a logit: among the named tokens, and among the others that both keep.
fn logit_shifts(ours: &Position, reference: &Position) -> (f32, f32) {
    let known: HashMap<i32, f32> = kept(ours).collect();
    let is_named = |id: i32| reference.named.iter().any(|named| named.id == id);
    let shift = |wanted: bool| {
        kept(reference)
            .filter(|&(id, _)| is_named(id) == wanted)
            .filter_map(|(id, logit)| Some((known.get(&id)? - logit).abs()))
            .fold(0.0, f32::max)
    };
    (shift(true), shift(false))
}

/// Logit of the most likely token less that of the next; infinite where there is only one.
pub fn top_margin(position: &Position) -> f32 {
    match position.top.as_slice() {
        [first, second, ..] => first.1 - second.1,
        _ => f32::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn exact_kl(p: &[f32], q: &[f32]) -> f64 {
        let log_softmax = |logits: &[f32]| {
            let total: f64 = logits.iter().map(|l| f64::from(*l).exp()).sum::<f64>().ln();
            logits.iter().map(|l| f64::from(*l) - total).collect::<Vec<_>>()
        };
        log_softmax(p).iter().zip(log_softmax(q)).map(|(a, b)| a.exp() * (a - b)).sum()
    }

    fn exact_nmse(ours: &[f32], reference: &[f32]) -> f64 {
        let square = |x: f32| f64::from(x) * f64::from(x);
        ours.iter().zip(reference).map(|(a, b)| square(a - b)).sum::<f64>()
            / reference.iter().map(|b| square(*b)).sum::<f64>()
    }

    fn logits() -> impl Strategy<Value = (Vec<f32>, Vec<f32>)> {
        (33..400usize).prop_flat_map(|n| {
            (prop::collection::vec(-12.0..12.0f32, n), prop::collection::vec(-0.5..0.5f32, n))
                .prop_map(|(a, d)| (a.clone(), a.iter().zip(&d).map(|(a, d)| a + d).collect()))
        })
    }

    proptest! {
        #[test]
        fn the_bound_never_exceeds_the_divergence((reference, ours) in logits()) {
            let bound = kl_lower_bound(&Position::of(0, &ours, &[0], None), &Position::of(0, &reference, &[0], None));
            prop_assert!(bound.unwrap() <= exact_kl(&reference, &ours) + 1e-6);
        }

        #[test]
        fn equal_distributions_have_no_distance((reference, _) in logits()) {
            let position = Position::of(0, &reference, &[1, 2], None);
            let Distance { nmse, kl, eog, nmse_of_others, named_shift, other_shift } =
                Distance::between(&position, &position).unwrap();
            prop_assert_eq!((nmse, kl, eog), (0.0, 0.0, 0.0));
            prop_assert_eq!((nmse_of_others, named_shift, other_shift), (0.0, 0.0, 0.0));
        }

        // The estimate's relative standard error is √(2/256) ≈ 9 %; six of them leave no false alarm.
        #[test]
        fn nmse_is_estimated_within_its_error((reference, ours) in logits()) {
            let exact = exact_nmse(&ours, &reference);
            let estimate = nmse(&Position::of(0, &ours, &[], None), &Position::of(0, &reference, &[], None));
            prop_assert!((estimate / exact).ln().abs() < 0.9, "estimate {} exact {}", estimate, exact);
        }
    }

    #[test]
    fn numbers_that_ran_over_do_not_agree() {
        let huge: Vec<f32> = (0..64_000).map(|i| if i % 2 == 0 { f32::MAX } else { -f32::MAX }).collect();
        let position = Position::of(0, &huge, &[], None);
        assert!(!nmse(&position, &position).is_nan());
        let sound = Position::of(0, &[1.0; 64_000], &[], None);
        assert!(nmse(&position, &sound) > 1.0);
        assert!(kl_lower_bound(&position, &sound).is_none_or(|kl| kl > 0.0));
    }

    #[test]
    fn one_lowered_token_among_many_shows_by_name_only() {
        let vocabulary = 262_144;
        let mut reference: Vec<f32> =
            (0..vocabulary).map(|i| ((i * 7919) % 1000) as f32 / 100.0 - 5.0).collect();
        reference[106] = 12.0;
        let mut ours = reference.clone();
        ours[106] -= 10.0;
        let named = [106];
        let (a, b) = (Position::of(0, &ours, &named, None), Position::of(0, &reference, &named, None));
        assert!(nmse(&a, &b) < 1e-3, "drowned in the vocabulary");
        assert!(eog_shift(&a, &b).unwrap() > 1.0);
    }

    #[test]
    fn a_named_token_alone_is_told_from_noise_around_it() {
        let bound = Tolerance {
            name: "t".into(),
            backend: None,
            model: None,
            variant: None,
            nmse: 1e-4,
            kl: 1e-3,
            eog: 0.05,
            near_tie: 0.1,
            why: "w".into(),
        };
        let reference: Vec<f32> = (0..500).map(|i| ((i * 7919) % 1000) as f32 / 100.0 - 5.0).collect();
        let check = |change: &dyn Fn(&mut Vec<f32>), alone: bool| {
            let mut ours = reference.clone();
            change(&mut ours);
            let position = |logits: &[f32]| Position::of(0, logits, &[106, 7], None);
            let distance = Distance::between(&position(&ours), &position(&reference)).unwrap();
            assert_eq!(distance.is_named_alone(&bound), alone, "{distance:?}");
        };
        let top = (0..500).max_by(|&a, &b| reference[a].total_cmp(&reference[b])).unwrap();
        check(&|logits| logits[106] -= 10.0, true);
        check(&|logits| (logits[106], logits[7]) = (logits[106] - 10.0, logits[7] + 1.0), true);
        check(&|_| (), false);
        check(&|logits| logits[top] += 5.0, false);
        check(&|logits| (logits[106], logits[top]) = (logits[106] - 10.0, logits[top] + 0.3), false);
        check(&|logits| logits.iter_mut().for_each(|logit| *logit *= 0.9), false);
    }
}
