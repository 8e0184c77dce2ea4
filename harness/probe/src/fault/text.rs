//! A wrapper that makes text of each token by itself, as many first versions do.

use wire::{Observation, Stimulus, Stop, StopReason, Turn};

use super::Fault;

/// The stop strings of `stimulus`, where it has any.
pub(super) fn stop_strings(stimulus: &mut Stimulus) -> Option<&mut Vec<String>> {
    match stimulus {
        Stimulus::Generate(spec) => Some(&mut spec.stop_strings),
        Stimulus::Stream(script) => Some(&mut script.stop_strings),
        _ => None,
    }
}

/// Whether any token alone holds one of `stops`.
pub(super) fn holds_one(observation: &Observation, stops: &[String]) -> bool {
    let tokens = observation.turns.iter().flat_map(|turn| &turn.generated);
    tokens.map(|token| token.piece.lossy()).any(|text| stops.iter().any(|stop| text.contains(stop.as_str())))
}

/// Makes the answer of `observation` anew, where `fault` is one of text.
pub(super) fn retell(fault: Fault, observation: &mut Observation) {
    if fault == Fault::Utf8Cut {
        observation.turns.iter_mut().filter(|turn| turn.answer.is_some()).for_each(cut);
    }
}

/// Each token's bytes as text, the bytes of half a character as U+FFFD.
fn cut(turn: &mut Turn) {
    let ended_by_token = matches!(turn.stop, Some(Stop { reason: StopReason::Eog, .. }));
    let count = turn.generated.len() - usize::from(ended_by_token && !turn.generated.is_empty());
    turn.chunks = turn.generated[..count].iter().map(|token| token.piece.lossy()).collect();
    turn.answer = Some(turn.chunks.concat());
}
