//! Demands on what is carried from turn to turn, and on when the context is full.

use wire::{Converse, Observation, StopReason, Turn};

use super::excerpt::quoted;
use crate::case::{MemoryCheck, OverflowCheck, WordCheck};
use crate::finding::{Code, Finding};

/// The word must be in the turn's answer.
pub(crate) fn remembered(demand: &WordCheck, turn: &Turn) -> Vec<Finding> {
    word(demand, turn, true, Code::HistoryLost, "does not know")
}

/// The word must not be in the turn's answer.
pub(crate) fn forgotten(demand: &WordCheck, turn: &Turn) -> Vec<Finding> {
    word(demand, turn, false, Code::MemoryLeak, "knows")
}

fn word(demand: &WordCheck, turn: &Turn, wanted: bool, code: Code, verb: &str) -> Vec<Finding> {
    let Some(answer) = &turn.answer else {
        let message = format!("turn {}: there is no answer to judge", demand.turn);
        return vec![Finding::new(Code::ObservationIncomplete, message)];
    };
    if answer.contains(&demand.word) == wanted {
        return Vec::new();
    }
    let message = format!("turn {}: the answer {verb} {:?}: {}", demand.turn, demand.word, quoted(answer));
    vec![Finding::new(code, message)]
}

/// The positions in the KV cache.
pub(crate) fn state(demand: &MemoryCheck, turn: &Turn) -> Vec<Finding> {
    let Some(memory) = turn.memory else {
        let message = format!("turn {}: nothing was said of the memory", demand.turn);
        return vec![Finding::new(Code::ObservationIncomplete, message)];
    };
    let fits = demand.pos_min.is_none_or(|pos| memory.pos_min == pos)
        && demand.pos_max.is_none_or(|pos| memory.pos_max == pos)
        && demand.at_most.is_none_or(|pos| memory.pos_max <= pos);
    if fits {
        return Vec::new();
    }
    let message = format!(
        "turn {}: the memory holds positions {} to {}; expected {}",
        demand.turn,
        memory.pos_min,
        memory.pos_max,
        serde_json::to_string(demand).unwrap_or_default()
    );
    vec![Finding::new(Code::MemoryState, message)]
}

/// The overflow must come where the case says, where the sizes say, and nowhere else.
pub(crate) fn overflow(demand: OverflowCheck, spec: &Converse, observation: &Observation) -> Vec<Finding> {
    let is_full = |turn: &Turn| turn.stop.as_ref().is_some_and(|stop| stop.reason == StopReason::ContextFull);
    let seen = observation.turns.iter().position(is_full);
    let n_ctx = observation.load.as_ref().and_then(|load| load.n_ctx);
    let (Some(n_ctx), Some(first)) = (n_ctx, observation.turns.first()) else {
        return vec![Finding::new(Code::ObservationIncomplete, "nothing was said of the context's size")];
    };
    let answer = first.generated.len();
    let sizes: Vec<TurnSize> =
        observation.turns.iter().map(|turn| TurnSize { prompt: turn.prompt_tokens.len(), answer }).collect();
    let predicted = overflow_turn(&sizes, n_ctx as usize, spec.decode_eog);
    if seen == Some(demand.turn) && predicted == seen {
        return Vec::new();
    }
    let name = |turn: Option<usize>| turn.map_or("in no turn".to_owned(), |turn| format!("in turn {turn}"));
    let message = format!(
        "the context of {n_ctx} tokens was full {}, by the turns' sizes it should be {}, by the case in turn {}",
        name(seen),
        name(predicted),
        demand.turn
    );
    let first = seen.into_iter().chain(predicted).fold(demand.turn, usize::min);
    vec![Finding::new(Code::MemoryState, message).in_turn(first)]
}

/// What one turn adds to the KV cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnSize {
    /// Tokens of its prompt.
    pub prompt: usize,
    /// Tokens generated, the end-of-generation token included.
    pub answer: usize,
}

/// The first turn, from 0, that does not fit into `n_ctx` tokens when memory is kept and each turn is appended.
///
/// The last generated token is chosen and not decoded, unless the wrapper decodes the token that ended the turn
/// too (`decode_ending`). Such a turn was answered already, so that one token never makes it fail by itself.
pub fn overflow_turn(turns: &[TurnSize], n_ctx: usize, decode_ending: bool) -> Option<usize> {
    let mut used = 0;
    for (index, turn) in turns.iter().enumerate() {
        let needed = used + turn.prompt + turn.answer.saturating_sub(1);
        if needed > n_ctx {
            return Some(index);
        }
        used = needed + usize::from(decode_ending && turn.answer > 0 && needed < n_ctx);
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A KV cache that takes one token at a time: as plain as can be.
    fn simulate(turns: &[TurnSize], n_ctx: usize, decode_ending: bool) -> Option<usize> {
        let mut cells = 0;
        let mut decode = |count: usize| (0..count).all(|_| (cells < n_ctx).then(|| cells += 1).is_some());
        for (index, turn) in turns.iter().enumerate() {
            if !decode(turn.prompt) || !decode(turn.answer.saturating_sub(1)) {
                return Some(index);
            }
            if decode_ending && turn.answer > 0 {
                decode(1);
            }
        }
        None
    }

    proptest! {
        #[test]
        fn the_prediction_is_what_a_cache_does(
            sizes in prop::collection::vec((1..200usize, 0..60usize), 0..12),
            n_ctx in (1..9usize).prop_map(|blocks| blocks * 256),
            decode_ending: bool,
        ) {
            let turns: Vec<_> = sizes.iter().map(|&(prompt, answer)| TurnSize { prompt, answer }).collect();
            prop_assert_eq!(overflow_turn(&turns, n_ctx, decode_ending), simulate(&turns, n_ctx, decode_ending));
        }
    }

    #[test]
    fn the_shipped_case_dies_in_the_fourth_turn() {
        // A context of 128 asked for is 256; each question is about 70 tokens, each answer about 10.
        let turn = TurnSize { prompt: 70, answer: 10 };
        assert_eq!(overflow_turn(&[turn; 6], 256, false), Some(3));
    }
}
