//! Conversations: what stays in memory, what overflows, what is rolled back.

use serde_json::{Value, json};
use wire::{Observation, RefusalCode, StopReason, Turn};

use super::desk::{Desk, ask, context, refusal};
use crate::testing::{A, E, Script, id};

/// Every turn's prompt is `<s><u>q<e><a>`, 5 tokens, 4 without BOS, and the answer is `ok<e>`.
fn converse(script: Script, spec: Value, turns: usize, n_ctx: u32) -> Observation {
    let mut all = json!({ "turns": vec![json!({ "user": "q" }); turns], "max_tokens": 10 });
    if let (Value::Object(all), Value::Object(spec)) = (&mut all, spec) {
        all.extend(spec);
    }
    ask(script, json!({ "converse": all }), context(n_ctx, 4))
}

fn reasons(seen: &Observation) -> Vec<StopReason> {
    seen.turns.iter().filter_map(|turn| turn.stop.as_ref()).map(|stop| stop.reason).collect()
}

fn answers(seen: &Observation) -> Vec<&str> {
    seen.turns.iter().map(|turn| turn.answer.as_deref().unwrap_or("-")).collect()
}

fn calls(turn: &Turn) -> Vec<(i32, u32, i32)> {
    turn.decode_calls.iter().map(|call| (call.pos, call.n_tokens, call.code)).collect()
}

fn pos_max(turn: &Turn) -> Option<i32> {
    turn.memory.map(|memory| memory.pos_max)
}

#[test]
fn kept_memory_overflows_is_rolled_back_and_goes_on() {
    use StopReason::{ContextFull, Eog};
    // A turn takes 4 tokens and 2 of the answer, the first one BOS besides: 7, 13, 19, and the fourth needs 25.
    let spec = json!({ "memory": "kept", "history": "last-only" });
    let seen = converse(Script::says("ok"), spec.clone(), 6, 24);
    assert_eq!(reasons(&seen), [Eog, Eog, Eog, ContextFull, ContextFull, ContextFull]);
    assert_eq!(answers(&seen), ["ok", "ok", "ok", "-", "-", "-"]);
    assert_eq!(calls(&seen.turns[3]), [(19, 4, 0), (23, 1, 0), (24, 1, 1)]);
    for turn in &seen.turns[3..] {
        assert_eq!(pos_max(turn), Some(18));
    }
    // Decoding the EOG token makes it one token a turn more.
    let mut eog = spec;
    eog["decode_eog"] = true.into();
    let seen = converse(Script::says("ok"), eog, 4, 24);
    assert_eq!(seen.turns.iter().map(pos_max).collect::<Vec<_>>(), [Some(7), Some(14), Some(21), Some(21)]);
}

#[test]
fn a_second_bos_is_never_appended() {
    let spec = json!({ "memory": "kept", "history": "last-only" });
    let seen = converse(Script::says("ok"), spec, 2, 64);
    assert_eq!(seen.turns.iter().map(|t| t.prompt_tokens.len()).collect::<Vec<_>>(), [5, 4]);
}

#[test]
fn kept_memory_with_history_decodes_only_what_is_new() {
    let seen = converse(Script::says("ok"), json!({ "memory": "kept", "history": "sent" }), 3, 64);
    // The second prompt is `<s><u>q<e><a>ok<e><u>q<e><a>`: 7 of its 12 tokens are in memory.
    assert_eq!(calls(&seen.turns[1])[..2], [(7, 4, 0), (11, 1, 0)]);
    assert_eq!(seen.turns[1].prompt_tokens.len(), 12);
    assert_eq!(pos_max(&seen.turns[1]), Some(13));
}

#[test]
fn a_prompt_that_is_in_memory_already_decodes_its_last_token_again() {
    let spec = json!({ "memory": "kept", "history": "sent", "max_tokens": 0, "system": "" });
    let mut desk = Desk::new(Script::says("ok"));
    let all = json!({ "turns": [{ "user": "q" }], "memory": "kept", "history": "sent", "max_tokens": 0 });
    let seen = desk.ask(json!({ "converse": all }), context(64, 4));
    assert_eq!(calls(&seen.turns[0]), [(0, 4, 0), (4, 1, 0)]);
    // An empty answer: the next prompt shares `<s><u>q<e><a>` and goes on with `<e>`.
    let seen = converse(Script::says("ok"), spec, 2, 64);
    assert_eq!(seen.turns[1].decode_calls[0].pos, seen.turns[0].prompt_tokens.len() as i32);
}

#[test]
fn cleared_memory_never_overflows_and_history_is_what_is_sent() {
    let reply = |memory: &[i32]| {
        let told = memory.contains(&id('Z'));
        vec![id(if told { 'Z' } else { '?' }), E]
    };
    for (memory, history, expected) in [
        ("cleared", "sent", ["Z", "Z", "Z"]),
        ("cleared", "last-only", ["Z", "?", "?"]),
        ("cleared-metadata", "last-only", ["Z", "?", "?"]),
        ("kept", "last-only", ["Z", "Z", "Z"]),
        ("kept", "sent", ["Z", "Z", "Z"]),
    ] {
        let turns = json!([{ "user": "Z" }, { "user": "q" }, { "user": "q" }]);
        let spec = json!({ "turns": turns, "memory": memory, "history": history, "max_tokens": 9 });
        let seen = ask(Script::replies(reply), json!({ "converse": spec }), context(64, 4));
        assert_eq!(answers(&seen), expected, "{memory} {history}");
    }
}

#[test]
fn a_failed_turn_leaves_the_history() {
    let script = Script { fails: Some((0, -3)), ..Script::says("ok") };
    let seen = converse(script, json!({ "memory": "kept", "history": "sent" }), 2, 64);
    assert_eq!(reasons(&seen), [StopReason::DecodeFailed, StopReason::Eog]);
    assert_eq!(seen.turns[1].prompt_tokens.len(), 5);
}

#[test]
fn the_system_message_comes_first_and_once() {
    let system = |history: &str| {
        let template = "{% for m in messages %}{{ m.role[0] }}{% endfor %}<a>";
        let chat = json!({ "template": template });
        let spec = json!({ "memory": "kept", "history": history, "system": "S", "chat": chat });
        let seen = converse(Script::says("ok"), spec, 2, 64);
        seen.turns.iter().map(|turn| turn.prompt.clone().unwrap_or_default()).collect::<Vec<_>>()
    };
    assert_eq!(system("sent"), ["su<a>", "suau<a>"]);
    assert_eq!(system("last-only"), ["su<a>", "u<a>"]);
}

#[test]
fn shifting_makes_room_and_keeps_bos() {
    let spec = json!({ "memory": "shifted", "history": "last-only" });
    let seen = converse(Script::says("ok"), spec.clone(), 12, 24);
    assert!(reasons(&seen).iter().all(|&reason| reason == StopReason::Eog), "{:?}", reasons(&seen));
    // 24 tokens are full; BOS stays, 11 of the other 23 go.
    assert_eq!(calls(&seen.turns[3]), [(19, 4, 0), (23, 1, 0), (24, 1, 1), (13, 1, 0)]);
    // Also where one prompt is longer than the whole context.
    let long = json!({ "turns": [{ "user": "x".repeat(60) }], "memory": "shifted", "history": "last-only",
                       "max_tokens": 9 });
    let seen = ask(Script::says("ok"), json!({ "converse": long }), context(24, 24));
    assert_eq!(answers(&seen), ["ok"]);
}

#[test]
fn memory_that_cannot_shift_is_a_refusal() {
    let spec = json!({ "memory": "shifted", "history": "last-only" });
    for (can_shift, code) in [(Some(false), RefusalCode::CannotShift), (None, RefusalCode::Unsupported)] {
        let script = Script { can_shift, ..Script::says("ok") };
        assert_eq!(refusal(&converse(script, spec.clone(), 1, 24)).code, code);
    }
}

#[test]
fn memory_that_cannot_be_cut_is_decoded_anew() {
    let script = Script {
        can_remove: false,
        ..Script::replies(|m| vec![if m.contains(&A) { id('!') } else { 0 }, E])
    };
    let seen = converse(script, json!({ "memory": "kept", "history": "sent" }), 2, 64);
    assert_eq!(answers(&seen), ["!", "!"]);
}

#[test]
fn evicted_cells_of_a_sliding_window_are_not_reused() {
    let first_call = |n_swa, chat: Value| {
        let spec = json!({ "memory": "kept", "history": "sent", "chat": chat });
        let script = Script { n_swa, ..Script::says("ok") };
        converse(script, spec, 2, 64).turns[1].decode_calls[0].pos
    };
    // 7 tokens are in memory, of which the window lets go all but the last few.
    assert_eq!(first_call(3, json!({})), 7);
    // The number of messages comes first and changes: of `<s>ab1…` only 3 tokens are the same.
    let counts = json!({ "template": "ab{{ messages | length }}<a>" });
    assert_eq!(first_call(0, counts.clone()), 3);
    assert_eq!(first_call(3, counts), 0);
}

#[test]
fn forced_tokens_go_on_over_the_turns() {
    let spec = json!({ "turns": [{ "user": "q" }, { "user": "q" }], "memory": "cleared", "history": "sent",
                       "max_tokens": 9 });
    let forced = json!({ "forced_tokens": [id('a'), E, id('b'), E] });
    let seen = ask(Script::says("ok"), json!({ "converse": spec }), forced);
    assert_eq!(answers(&seen), ["a", "b"]);
}
