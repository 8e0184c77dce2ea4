//! What a turn began with, from its own evidence: the cells in its KV cache, the messages in its prompt.

use wire::{ConverseMemory, History, Observation, Request, Stimulus, StopReason, Turn};

use crate::finding::{Code, Finding};

/// A turn that begins with an empty memory must end with the cells that it decoded itself, at positions from 0 on.
///
/// Judged where the memory is a plain list of cells: no sliding window that lets go of some, no recurrent state.
pub(crate) fn memory(request: &Request, index: usize, observation: &Observation) -> Vec<Finding> {
    let plain = observation.load.as_ref().is_some_and(|load| load.n_swa == 0 && !load.recurrent);
    let turn = &observation.turns[index];
    if !plain || !begins_empty(&request.stimulus) {
        return Vec::new();
    }
    let before = index.checked_sub(1).and_then(|before| observation.turns[before].memory);
    let finding = |message: String| vec![Finding::new(Code::MemoryInconsistent, message)];
    match (before, turn.decode_calls.first(), turn.memory) {
        (Some(before), Some(call), _) if call.pos == 0 && call.code == -1 && before.pos_max >= 0 => {
            finding(format!(
                "turn {index}: llama_decode refused the position 0 (it returned -1), because the memory still held \
                 positions {} to {} of turn {}",
                before.pos_min,
                before.pos_max,
                index - 1
            ))
        }
        (_, Some(_), Some(memory)) if !was_rolled_back(turn) => {
            let decoded: i64 = turn
                .decode_calls
                .iter()
                .filter(|call| call.code == 0)
                .map(|call| i64::from(call.n_tokens))
                .sum();
            if memory.pos_min == 0 && i64::from(memory.pos_max) + 1 == decoded {
                return Vec::new();
            }
            finding(format!(
                "turn {index}: {decoded} tokens were decoded into an empty memory, and it holds positions {} to {}",
                memory.pos_min, memory.pos_max
            ))
        }
        _ => Vec::new(),
    }
}

fn begins_empty(stimulus: &Stimulus) -> bool {
    match stimulus {
        Stimulus::Generate(_) | Stimulus::Score(_) => true,
        Stimulus::Converse(spec) => {
            matches!(spec.memory, ConverseMemory::Cleared | ConverseMemory::ClearedMetadata)
        }
        _ => false,
    }
}

fn was_rolled_back(turn: &Turn) -> bool {
    turn.stop
        .as_ref()
        .is_some_and(|stop| matches!(stop.reason, StopReason::ContextFull | StopReason::DecodeFailed))
}

/// Where history is sent, a prompt holds what was said before. Judged only where the prompt holds the new message as
/// it was written and none of the earlier ones: a template may rewrite messages.
pub(crate) fn history(request: &Request, index: usize, observation: &Observation) -> Vec<Finding> {
    let Stimulus::Converse(spec) = &request.stimulus else { return Vec::new() };
    let (Some(prompt), Some(new)) = (&observation.turns[index].prompt, spec.turns.get(index)) else {
        return Vec::new();
    };
    let earlier: Vec<&str> = spec
        .turns
        .iter()
        .zip(&observation.turns[..index])
        .filter(|(_, turn)| !was_rolled_back(turn))
        .map(|(said, _)| said.user.trim())
        .filter(|said| !said.is_empty() && *said != new.user.trim())
        .collect();
    let lost = spec.history == History::Sent
        && prompt.contains(new.user.trim())
        && !earlier.is_empty()
        && !earlier.iter().any(|said| prompt.contains(said));
    if !lost {
        return Vec::new();
    }
    let before = if earlier.len() == 1 { "not the one" } else { "none of those" };
    let message = format!("turn {index}: the prompt holds the new message and {before} before it");
    vec![Finding::new(Code::HistoryLost, message)]
}

#[cfg(test)]
mod tests {
    use wire::{Ending, LoadEvidence};

    use super::*;

    fn request(spec: &serde_json::Value) -> Request {
        serde_json::from_value(serde_json::json!({
            "id": 1, "model": null, "stimulus": { "converse": spec }
        }))
        .unwrap()
    }

    type Told<'a> = (&'a str, (i32, i32), (i32, i32));

    /// Two turns of ten tokens: what each was told, its first call, what is in memory after it.
    fn observation(turns: [Told<'_>; 2]) -> Observation {
        let turn = |(prompt, (pos, code), (pos_min, pos_max)): Told<'_>| {
            serde_json::from_value(serde_json::json!({
                "prompt": prompt,
                "decode_calls": [{ "pos": pos, "n_tokens": 10, "code": code }],
                "memory": { "pos_min": pos_min, "pos_max": pos_max },
                "stop": { "reason": if code == 0 { "eog" } else { "decode-failed" } }
            }))
            .unwrap()
        };
        Observation {
            load: Some(LoadEvidence::default()),
            turns: turns.map(turn).to_vec(),
            ..Observation::ended(Ending::Completed)
        }
    }

    #[test]
    fn a_cleared_memory_holds_what_the_turn_put_there() {
        let spec = |memory: &str| {
            request(&serde_json::json!({ "turns": [{ "user": "a" }, { "user": "b" }], "memory": memory,
                                        "history": "last-only", "max_tokens": 4 }))
        };
        let check = |kind: &str, call: (i32, i32), after: (i32, i32), expected: Option<&str>| {
            let observation = observation([("a", (0, 0), (0, 9)), ("b", call, after)]);
            let found = memory(&spec(kind), 1, &observation);
            let message = found.first().map(|finding| finding.message.as_str());
            assert_eq!(message, expected, "{kind} {call:?} {after:?}");
            assert_eq!(memory(&spec(kind), 0, &observation), []);
        };
        check("cleared", (0, 0), (0, 9), None);
        check("kept", (10, 0), (0, 19), None);
        let holds = "turn 1: 10 tokens were decoded into an empty memory, and it holds positions";
        check("cleared", (0, 0), (0, 19), Some(&format!("{holds} 0 to 19")));
        check("cleared-metadata", (0, 0), (10, 19), Some(&format!("{holds} 10 to 19")));
        let refused = "turn 1: llama_decode refused the position 0 (it returned -1), because the memory still held \
                       positions 0 to 9 of turn 0";
        check("cleared", (0, -1), (-1, -1), Some(refused));
    }

    #[test]
    fn a_prompt_without_what_was_said_has_lost_it() {
        let check = |sent: &str, prompt: &str, lost: bool| {
            let spec = request(&serde_json::json!({
                "turns": [{ "user": "My name is Ada" }, { "user": " Who am I? " }],
                "memory": "cleared", "history": sent, "max_tokens": 4
            }));
            let observation = observation([("My name is Ada", (0, 0), (0, 9)), (prompt, (0, 0), (0, 9))]);
            assert_eq!(!history(&spec, 1, &observation).is_empty(), lost, "{sent} {prompt}");
        };
        check("sent", "<u>My name is Ada<u>Who am I?", false);
        check("sent", "<u>Who am I?", true);
        check("last-only", "<u>Who am I?", false);
        check("sent", "<u>WHO AM I?", false);
    }
}
