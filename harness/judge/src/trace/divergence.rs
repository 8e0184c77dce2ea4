//! The first position at which two observations differ, and the call that computed it.

use serde::{Deserialize, Serialize};
use wire::{Layer, Observation, Position, Turn};

use crate::numbers::{Distance, Tolerance, nmse};

/// Where the distributions differ, or come nearest to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Divergence {
    /// The turn, from 0.
    pub turn: usize,
    /// Prefill or decode.
    pub layer: Layer,
    /// The position after which the distribution stands.
    pub pos: i32,
    /// The `llama_decode` call of the request that computed it, from 0.
    pub call: u32,
    /// NMSE of the logits there; null where it is not finite.
    pub nmse: f64,
    /// Whether it is beyond the tolerance.
    pub differs: bool,
}

/// The first position beyond `tolerance`; where there is none, the one with the largest NMSE. `None` where nothing can
/// be compared.
pub fn divergence(ours: &Observation, reference: &Observation, tolerance: &Tolerance) -> Option<Divergence> {
    let mut calls = 0;
    let mut nearest: Option<Divergence> = None;
    for (index, (mine, theirs)) in ours.turns.iter().zip(&reference.turns).enumerate() {
        let layers =
            [(Layer::Prefill, &mine.prefill, &theirs.prefill), (Layer::Decode, &mine.decode, &theirs.decode)];
        for (layer, mine_at, theirs_at) in layers {
            for (ours, reference) in mine_at.iter().zip(theirs_at) {
                let found = Divergence {
                    turn: index,
                    layer,
                    pos: ours.pos,
                    call: calls + call_of(mine, ours.pos),
                    nmse: nmse(ours, reference),
                    differs: differs(ours, reference, tolerance),
                };
                if found.differs {
                    return Some(found);
                }
                if nearest.as_ref().is_none_or(|nearest| found.nmse > nearest.nmse) {
                    nearest = Some(found);
                }
            }
        }
        calls += mine.decode_calls.len() as u32;
    }
    nearest
}

fn differs(ours: &Position, reference: &Position, tolerance: &Tolerance) -> bool {
    if (ours.nan, ours.infinite, ours.stale) != (reference.nan, reference.infinite, reference.stale) {
        return true;
    }
    let Some(distance) = Distance::between(ours, reference) else { return false };
    distance.nmse > tolerance.nmse || distance.kl > tolerance.kl || distance.eog > tolerance.eog
}

/// The call of a turn that decoded the token at `pos`: the last one, as a turn may be rolled back and begin anew.
fn call_of(turn: &Turn, pos: i32) -> u32 {
    let holds = |call: &wire::DecodeCall| {
        call.code == 0 && (call.pos..call.pos.saturating_add_unsigned(call.n_tokens)).contains(&pos)
    };
    turn.decode_calls.iter().rposition(holds).unwrap_or(0) as u32
}
