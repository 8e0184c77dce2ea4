//! What a fault really did to the logits.

use std::{cell::RefCell, rc::Rc};

use wire::FaultEffect;

/// Compares broken logits with the sound ones of the same step. Clones share one reading.
#[derive(Clone, Debug, Default)]
pub(super) struct Meter(Rc<RefCell<Option<FaultEffect>>>);

impl Meter {
    /// Adds one position.
    pub(super) fn add(&self, broken: &[f32], sound: &[f32]) {
        let mut reading = self.0.borrow_mut();
        let effect = reading.get_or_insert_default();
        effect.positions += 1;
        effect.not_finite += broken.iter().filter(|logit| !logit.is_finite()).count() as u32;
        effect.nmse = effect.nmse.max(nmse(broken, sound));
    }

    /// The effect since the last call; `None` where nothing was measured.
    pub(super) fn take(&self) -> Option<FaultEffect> {
        self.0.take()
    }
}

/// Σ(broken − sound)² / Σ sound², over the logits that are finite in both.
fn nmse(broken: &[f32], sound: &[f32]) -> f64 {
    let finite = broken.iter().zip(sound).filter(|(a, b)| a.is_finite() && b.is_finite());
    let (error, whole) = finite.fold((0.0, 0.0), |(error, whole), (&a, &b)| {
        (error + (f64::from(a) - f64::from(b)).powi(2), whole + f64::from(b).powi(2))
    });
    if error == 0.0 { 0.0 } else { error / whole.max(f64::MIN_POSITIVE) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_position_counts_and_reading_starts_anew() {
        let meter = Meter::default();
        assert_eq!(meter.take(), None);
        meter.clone().add(&[1.0, 2.0], &[1.0, 2.0]);
        meter.add(&[1.0, f32::NAN, 4.0], &[1.0, 9.0, 2.0]);
        assert_eq!(meter.take(), Some(FaultEffect { positions: 2, nmse: 0.8, not_finite: 1 }));
        assert_eq!(meter.take(), None);
    }
}
