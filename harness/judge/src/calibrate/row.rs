//! One tolerance on one model: its noise, its limits, the faults beyond.

use serde::Serialize;

use super::{Distances, Metric};
use crate::finding::Code;
use crate::numbers::Tolerance;

/// A limit is to be so many times the noise, and the smallest fault so many times the limit.
const MARGIN: f64 = 10.0;

/// What was measured of a tolerance on a model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The tolerance.
    pub tolerance: Tolerance,
    /// The model that was asked.
    pub model: String,
    /// The variant, where the tolerance is for some.
    pub variants: Vec<String>,
    /// Answers of sound subjects that were compared with their references.
    pub answers: usize,
    /// How far they were away.
    pub noise: Distances,
    /// How far the same question's answer was away under each numeric fault that touches it.
    pub faults: Vec<Effect>,
}

/// What a fault did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// Its name.
    pub fault: String,
    /// What it must be blamed with.
    pub finding: Code,
    /// How far the answer was away.
    pub distances: Distances,
}

/// A limit without its margins.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gap {
    /// The limit of this metric is only so many times the noise.
    Noise(Metric, f64),
    /// The smallest fault, by the metric that shows it best, is only so many times the limit.
    Fault(String, f64),
}

impl Row {
    /// The smallest fault that `metric` must show, and how far away it is.
    pub fn smallest(&self, metric: Metric) -> Option<&Effect> {
        let shows = |effect: &&Effect| match metric {
            Metric::Nmse | Metric::Kl => effect.finding == Code::LogitsDiffer,
            Metric::Eog => effect.finding == Code::EogProbabilityDiffers,
            Metric::NearTie => false,
        };
        let order = |a: &&Effect, b: &&Effect| a.distances.of(metric).total_cmp(&b.distances.of(metric));
        self.faults.iter().filter(shows).min_by(order)
    }

    /// How many times the noise the limit of `metric` is; infinite where there is none.
    pub fn above_noise(&self, metric: Metric) -> f64 {
        metric.limit(&self.tolerance) / self.noise.of(metric)
    }

    /// Where the margins are too small. A fault of the logits may show in the NMSE or in the KL divergence.
    pub fn gaps(&self) -> Vec<Gap> {
        let noise = Metric::ALL.into_iter().map(|metric| (metric, self.above_noise(metric)));
        let noise =
            noise.filter(|(_, times)| *times < MARGIN).map(|(metric, times)| Gap::Noise(metric, times));
        let beyond =
            |effect: &Effect, metric: Metric| effect.distances.of(metric) / metric.limit(&self.tolerance);
        let shown = |effect: &Effect| match effect.finding {
            Code::EogProbabilityDiffers => beyond(effect, Metric::Eog),
            _ => beyond(effect, Metric::Nmse).max(beyond(effect, Metric::Kl)),
        };
        let faults = self.faults.iter().map(|effect| (effect.fault.clone(), shown(effect)));
        let faults =
            faults.filter(|(_, times)| *times < MARGIN).map(|(fault, times)| Gap::Fault(fault, times));
        noise.chain(faults).collect()
    }

    /// Whether the tolerance's `why` owns up to its gaps.
    pub fn states_its_gaps(&self) -> bool {
        self.gaps().is_empty() || self.tolerance.why.to_lowercase().contains("gap")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(nmse: f64, fault: f64, why: &str) -> Row {
        let tolerance = Tolerance {
            name: "t".into(),
            backend: None,
            model: None,
            variant: None,
            nmse: 1e-4,
            kl: 1e-3,
            eog: 0.05,
            near_tie: 0.1,
            why: why.into(),
        };
        let effect = |fault: &str, finding, distances| Effect { fault: fault.into(), finding, distances };
        Row {
            tolerance,
            model: "m".into(),
            variants: Vec::new(),
            answers: 2,
            noise: Distances { positions: 9, nmse, kl: 1e-5, eog: 0.001, near_tie: 0.0 },
            faults: vec![
                effect("large", Code::LogitsDiffer, Distances { nmse: 1.0, kl: 1.0, ..Distances::default() }),
                effect(
                    "small",
                    Code::LogitsDiffer,
                    Distances { nmse: fault, kl: 1e-4, ..Distances::default() },
                ),
                effect("end", Code::EogProbabilityDiffers, Distances { eog: 9.0, ..Distances::default() }),
            ],
        }
    }

    #[test]
    fn a_limit_has_its_margins_or_owns_up() {
        let check = |row: Row, gaps: &[Gap], stated: bool| {
            assert_eq!(row.gaps(), gaps);
            assert_eq!(row.states_its_gaps(), stated);
        };
        check(row(1e-5, 1.5e-3, "w"), &[], true);
        check(row(4e-5, 1.5e-3, "w"), &[Gap::Noise(Metric::Nmse, 2.5)], false);
        check(row(4e-5, 1.5e-3, "The gap: …"), &[Gap::Noise(Metric::Nmse, 2.5)], true);
        check(row(1e-5, 4e-4, "w"), &[Gap::Fault("small".into(), 4.0)], false);
    }

    #[test]
    fn the_smallest_fault_is_one_that_the_metric_must_show() {
        let row = row(1e-5, 1.5e-3, "w");
        let name = |metric| row.smallest(metric).map(|effect| effect.fault.as_str());
        assert_eq!(name(Metric::Nmse), Some("small"));
        assert_eq!(name(Metric::Eog), Some("end"));
        assert_eq!(name(Metric::NearTie), None);
        assert_eq!(row.above_noise(Metric::NearTie), f64::INFINITY);
    }
}
