//! Demands on why a turn ended.

use wire::{StopReason, Turn};

use crate::case::StopCheck;
use crate::finding::{Code, Finding};

/// Judges the end of `turn`.
pub(crate) fn check(demand: &StopCheck, turn: &Turn) -> Vec<Finding> {
    let Some(stop) = &turn.stop else {
        let message = format!("turn {}: nothing was said of why it ended", demand.turn);
        return vec![Finding::new(Code::ObservationIncomplete, message)];
    };
    let ended_by = turn.generated.last().map(|token| token.piece.lossy()).unwrap_or_default();
    if stop.reason != demand.reason {
        let code = match (demand.reason, stop.reason) {
            (StopReason::Eog, StopReason::Length) => Code::NeverEnded,
            (_, StopReason::ContextFull) => Code::ContextFull,
            (_, StopReason::DecodeFailed) => Code::DecodeFailed,
            _ => Code::StopDiffers,
        };
        let message = format!(
            "turn {}: ended for the reason {} after {} tokens, the last {ended_by:?}; expected {}",
            demand.turn,
            stop.reason.name(),
            turn.generated.len(),
            demand.reason.name()
        );
        return vec![Finding::new(code, message)];
    }
    let mut problems = Vec::new();
    if let Some(token) = &demand.token
        && *token != ended_by
    {
        let message = format!("turn {}: ended at the token {ended_by:?}, expected {token:?}", demand.turn);
        problems.push(Finding::new(Code::StopDiffers, message));
    }
    if demand.string.is_some() && demand.string != stop.string {
        let message = format!(
            "turn {}: ended at the string {:?}, expected {:?}",
            demand.turn,
            stop.string.as_deref().unwrap_or_default(),
            demand.string.as_deref().unwrap_or_default()
        );
        problems.push(Finding::new(Code::StopDiffers, message));
    }
    problems
}
