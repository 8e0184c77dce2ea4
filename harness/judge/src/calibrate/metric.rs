//! What a tolerance limits.

use serde::Serialize;

use crate::numbers::Tolerance;

/// One of the numbers in a tolerance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// NMSE of the logits.
    Nmse,
    /// KL divergence in nats.
    Kl,
    /// Change of an end token's log-probability in nats.
    Eog,
    /// Change of one of the two highest logits.
    NearTie,
}

impl Metric {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Nmse, Self::Kl, Self::Eog, Self::NearTie];

    /// Its name in tolerances.json.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nmse => "nmse",
            Self::Kl => "kl",
            Self::Eog => "eog",
            Self::NearTie => "near_tie",
        }
    }

    /// What `tolerance` allows.
    pub fn limit(self, tolerance: &Tolerance) -> f64 {
        match self {
            Self::Nmse => tolerance.nmse,
            Self::Kl => tolerance.kl,
            Self::Eog => tolerance.eog,
            Self::NearTie => f64::from(tolerance.near_tie),
        }
    }
}
