//! The distribution at one position, small enough to keep.

use serde::{Deserialize, Serialize};

use crate::Sketch;

/// How many of the highest logits a [`Position`] keeps.
pub const TOP_LOGITS: usize = 32;

/// What is kept of one logit vector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// Position in the sequence of the token after which this distribution stands.
    pub pos: i32,
    /// The highest finite logits as (token id, logit), highest first, lowest id first on a tie.
    pub top: Vec<(i32, f32)>,
    /// Natural logarithm of the sum of exponentials of all logits; `None` unless every logit is finite.
    pub log_sum_exp: Option<f64>,
    /// All logits, sketched.
    pub sketch: Sketch,
    /// Logits of the tokens that must never be lost among a large vocabulary: every end-of-generation token and
    /// every thinking tag that is one token.
    pub named: Vec<NamedLogit>,
    /// Logits that are not a number.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub nan: u32,
    /// Logits that are infinite.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub infinite: u32,
    /// Whether every byte of this logit vector equals the previous position's in the same context.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stale: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// One token's logit; `None` where it is not finite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedLogit {
    /// Token id.
    pub id: i32,
    /// Its logit.
    pub logit: Option<f32>,
}

impl Position {
    /// Summarises `logits`, the vector after the token at `pos`. `named` lists the ids to keep by name;
    /// `previous` is the vector observed before it in the same context.
    pub fn of(pos: i32, logits: &[f32], named: &[i32], previous: Option<&[f32]>) -> Self {
        let nan = logits.iter().filter(|logit| logit.is_nan()).count() as u32;
        let infinite = logits.iter().filter(|logit| logit.is_infinite()).count() as u32;
        Self {
            pos,
            top: top(logits),
            log_sum_exp: (nan == 0 && infinite == 0 && !logits.is_empty()).then(|| log_sum_exp(logits)),
            sketch: Sketch::of(logits),
            named: named
                .iter()
                .filter_map(|&id| {
                    let logit = *logits.get(usize::try_from(id).ok()?)?;
                    Some(NamedLogit { id, logit: logit.is_finite().then_some(logit) })
                })
                .collect(),
            nan,
            infinite,
            stale: previous.is_some_and(|previous| {
                previous.len() == logits.len()
                    && previous.iter().zip(logits).all(|(a, b)| a.to_bits() == b.to_bits())
            }),
        }
    }

    /// Natural logarithm of the probability of a logit at this position.
    pub fn log_probability(&self, logit: f32) -> Option<f64> {
        self.log_sum_exp.map(|total| f64::from(logit) - total)
    }
}

fn top(logits: &[f32]) -> Vec<(i32, f32)> {
    let mut best: Vec<(i32, f32)> = Vec::with_capacity(TOP_LOGITS + 1);
    for (id, &logit) in logits.iter().enumerate() {
        let full = best.len() == TOP_LOGITS;
        if !logit.is_finite() || (full && best.last().is_some_and(|&(_, least)| logit <= least)) {
            continue;
        }
        let at = best.partition_point(|&(_, other)| other >= logit);
        best.insert(at, (id as i32, logit));
        best.truncate(TOP_LOGITS);
    }
    best
}

fn log_sum_exp(logits: &[f32]) -> f64 {
    let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f64 = logits.iter().map(|&logit| (f64::from(logit) - f64::from(max)).exp()).sum();
    f64::from(max) + sum.ln()
}
