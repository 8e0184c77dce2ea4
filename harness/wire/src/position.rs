//! The distribution at one position, small enough to keep.

use serde::{Deserialize, Serialize};

use crate::Sketch;
use crate::softmax::log_sum_exp;

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
        let (nan, infinite) = not_finite(logits);
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

/// How many are not a number, and how many are infinite.
fn not_finite(logits: &[f32]) -> (u32, u32) {
    // Nearly always all are finite, and then one sweep says so.
    if logits.iter().fold(true, |all, logit| all & logit.is_finite()) {
        return (0, 0);
    }
    let count = |is: fn(f32) -> bool| logits.iter().filter(|&&logit| is(logit)).count() as u32;
    (count(f32::is_nan), count(f32::is_infinite))
}

fn top(logits: &[f32]) -> Vec<(i32, f32)> {
    let mut best: Vec<(i32, f32)> = Vec::with_capacity(TOP_LOGITS + 1);
    // What does not get in. Of a block without any that does, no logit is looked at alone.
    let mut least = f32::NEG_INFINITY;
    for (block, logits) in logits.chunks(BLOCK).enumerate() {
        if !logits.iter().fold(false, |any, &logit| any | (logit > least)) {
            continue;
        }
        for (offset, &logit) in logits.iter().enumerate() {
            if logit <= least || !logit.is_finite() {
                continue;
            }
            let at = best.partition_point(|&(_, other)| other >= logit);
            best.insert(at, ((block * BLOCK + offset) as i32, logit));
            best.truncate(TOP_LOGITS);
            if best.len() == TOP_LOGITS {
                least = best[TOP_LOGITS - 1].1;
            }
        }
    }
    best
}

/// Logits that are looked at together.
const BLOCK: usize = 64;
