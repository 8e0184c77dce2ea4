//! Turns that stay in the observation whatever happens in them.

use wire::{Refusal, Turn};

/// Adds a turn and lets `fill` write it; what was written before a refusal stays.
pub(crate) fn record(
    turns: &mut Vec<Turn>,
    fill: impl FnOnce(&mut Turn) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let mut turn = Turn::default();
    let result = fill(&mut turn);
    turns.push(turn);
    result
}
