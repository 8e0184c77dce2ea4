//! The greedy loop and its stops.

use serde_json::{Value, json};
use wire::{Layer, RefusalCode, Stop, StopReason, Turn};

use super::desk::{ask, chat, context, refusal, turn};
use crate::testing::{E, EOS, Script, THINK, THOUGHT, id};

fn generate(script: Script, spec: Value, more: Value) -> Turn {
    turn(ask(script, with_prompt(spec), more))
}

fn with_prompt(mut spec: Value) -> Value {
    spec["prompt"] = json!({ "chat": chat("hi") });
    if spec.get("max_tokens").is_none() {
        spec["max_tokens"] = 20.into();
    }
    json!({ "generate": spec })
}

fn stop(reason: StopReason) -> Stop {
    Stop { reason, token: None, string: None }
}

#[test]
fn it_stops_at_any_eog_token_and_for_that_reason() {
    for end in [E, EOS] {
        let seen =
            generate(Script::replies(move |_| vec![id('o'), id('k'), end, id('!')]), json!({}), json!({}));
        assert_eq!(seen.stop, Some(Stop { token: Some(end), ..stop(StopReason::Eog) }));
        assert_eq!(seen.answer.as_deref(), Some("ok"));
        assert_eq!(seen.generated.len(), 3);
        // The token that ended the turn is not decoded.
        assert_eq!(seen.decode_calls.iter().map(|call| call.n_tokens).collect::<Vec<_>>(), [6, 1, 1]);
    }
}

#[test]
fn the_text_of_an_eog_token_is_no_stop() {
    let seen = generate(
        Script::replies(|_| vec![id('<'), id('/'), id('s'), id('>'), id('.'), E]),
        json!({}),
        json!({}),
    );
    assert_eq!(seen.answer.as_deref(), Some("</s>."));
}

#[test]
fn it_stops_at_a_stop_string_that_lies_across_tokens() {
    let spec = json!({ "stop_strings": ["END", "never"] });
    let seen = generate(Script::says("one ENDtwo"), spec, json!({}));
    assert_eq!(seen.stop, Some(Stop { string: Some("END".to_owned()), ..stop(StopReason::StopString) }));
    assert_eq!(seen.answer.as_deref(), Some("one "));
    assert_eq!(seen.chunks.concat(), "one ");
}

#[test]
fn a_control_token_shows_only_where_it_is_looked_for() {
    let spec = |stops: Value| json!({ "stop_strings": stops });
    let hidden = generate(Script::says("a<u>b"), spec(json!([])), json!({}));
    assert_eq!(hidden.answer.as_deref(), Some("ab"));
    let found = generate(Script::says("a<u>b"), spec(json!(["<u>"])), json!({}));
    assert_eq!(found.answer.as_deref(), Some("a"));
}

#[test]
fn it_never_generates_more_than_max_tokens() {
    for max_tokens in [0, 1, 3] {
        let seen = generate(Script::says("endless"), json!({ "max_tokens": max_tokens }), json!({}));
        assert_eq!(seen.stop, Some(stop(StopReason::Length)));
        assert_eq!(seen.generated.len(), max_tokens);
    }
}

#[test]
fn thought_and_answer_are_told_apart() {
    let tags = json!({ "thinking": { "open": "<think>", "close": "</think>" } });
    let script = || Script::replies(|_| vec![THINK, id('h'), id('m'), THOUGHT, id('4'), E]);
    let seen = generate(script(), tags.clone(), json!({}));
    assert_eq!((seen.thinking.as_deref(), seen.answer.as_deref()), (Some("hm"), Some("4")));
    assert_eq!(seen.thinking_tokens, Some(4));
    let mut burnt = tags;
    burnt["max_tokens"] = 3.into();
    let seen = generate(script(), burnt, json!({}));
    assert_eq!((seen.thinking_tokens, seen.answer.as_deref()), (Some(3), Some("")));
}

#[test]
fn forced_tokens_replace_its_own_choice_until_they_run_out() {
    let forced = |tokens: &[i32]| json!({ "forced_tokens": tokens });
    let seen = generate(Script::says("ab"), json!({}), forced(&[id('a'), id('x'), E]));
    assert_eq!(seen.chosen, [id('a'), id('b'), E]);
    assert_eq!(seen.generated.iter().map(|token| token.id).collect::<Vec<_>>(), [id('a'), id('x'), E]);
    assert_eq!(seen.stop, Some(Stop { token: Some(E), ..stop(StopReason::Eog) }));
    let seen = generate(Script::says("ab"), json!({}), forced(&[id('x')]));
    assert_eq!((seen.stop, seen.answer.as_deref()), (Some(stop(StopReason::Length)), Some("x")));
    let seen = ask(Script::says(""), with_prompt(json!({})), forced(&[9999]));
    assert_eq!(refusal(&seen).code, RefusalCode::BadRequest);
}

#[test]
fn a_full_context_and_a_failed_call_end_the_turn_with_their_code() {
    // The prompt has 6 tokens; two more fit.
    let seen = generate(Script::says("endless"), json!({}), context(8, 4));
    assert_eq!(seen.stop, Some(stop(StopReason::ContextFull)));
    let calls: Vec<(i32, u32, i32)> = seen.decode_calls.iter().map(|c| (c.pos, c.n_tokens, c.code)).collect();
    assert_eq!(calls, [(0, 4, 0), (4, 2, 0), (6, 1, 0), (7, 1, 0), (8, 1, 1)]);
    for (code, reason) in [(2, StopReason::DecodeFailed), (-3, StopReason::DecodeFailed)] {
        let script = Script { fails: Some((1, code)), ..Script::says("abc") };
        let seen = generate(script, json!({}), json!({}));
        assert_eq!(seen.stop, Some(stop(reason)));
        assert_eq!(seen.decode_calls.last().map(|call| call.code), Some(code));
    }
}

#[test]
fn a_prompt_that_cannot_fit_is_refused_before_any_call() {
    let seen = ask(Script::says(""), with_prompt(json!({})), context(5, 5));
    let refusal = refusal(&seen);
    assert_eq!((refusal.layer, refusal.code), (Layer::Prefill, RefusalCode::PromptTooLong));
    assert_eq!((seen.turns[0].prompt_tokens.len(), seen.turns[0].decode_calls.len()), (6, 0));
}

#[test]
fn scored_steps_carry_their_distribution() {
    let seen = generate(Script::says("ab"), json!({ "score": true }), json!({}));
    assert_eq!(seen.prefill.iter().map(|p| p.pos).collect::<Vec<_>>(), [5]);
    assert_eq!(seen.decode.iter().map(|p| p.pos).collect::<Vec<_>>(), [6, 7]);
    assert_eq!(seen.prefill[0].top[0], (id('a'), 8.0));
    assert_eq!(seen.prefill[0].named.iter().map(|named| named.id).collect::<Vec<_>>(), [EOS, E]);
    assert!(seen.decode.iter().all(|position| !position.stale));
}
