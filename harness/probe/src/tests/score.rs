//! Teacher-forced scoring, scripted streams, descriptions.

use serde_json::json;
use wire::{RefusalCode, StopReason};

use super::desk::{ask, context, refusal, turn};
use crate::testing::Script;

#[test]
fn both_paths_score_every_token() {
    for (path, calls) in [("prefill", vec![2, 2, 1]), ("token-by-token", vec![1; 5])] {
        let score = json!({ "score": { "prompt": { "text": "abcd" }, "path": path } });
        let seen = turn(ask(Script::says(""), score, context(16, 2)));
        assert_eq!(seen.prefill.iter().map(|p| p.pos).collect::<Vec<_>>(), [0, 1, 2, 3, 4], "{path}");
        assert_eq!(seen.decode_calls.iter().map(|c| c.n_tokens).collect::<Vec<_>>(), calls, "{path}");
    }
}

#[test]
fn context_alone_is_decoded_and_not_scored() {
    for (unscored, path, calls, scored) in [
        (2, "prefill", vec![2, 2, 1], vec![2, 3, 4]),
        (3, "token-by-token", vec![1; 5], vec![3, 4]),
        (9, "prefill", vec![2, 2, 1], vec![]),
    ] {
        let score = json!({ "score": { "prompt": { "text": "abcd" }, "path": path, "unscored": unscored } });
        let seen = turn(ask(Script::says(""), score, context(16, 2)));
        assert_eq!(seen.prefill.iter().map(|p| p.pos).collect::<Vec<_>>(), scored, "{path}");
        assert_eq!(seen.decode_calls.iter().map(|c| c.n_tokens).collect::<Vec<_>>(), calls, "{path}");
    }
}

#[test]
fn a_call_after_positions_that_were_left_out_is_the_last() {
    for (path, calls) in [("prefill", [(0, 0), (5, -1)]), ("token-by-token", [(0, 0), (4, -1)])] {
        let score = json!({ "score": { "prompt": { "text": "abcd" }, "path": path, "gap": 3 } });
        let seen = turn(ask(Script::says(""), score, context(32, 2)));
        assert_eq!(seen.decode_calls.iter().map(|c| (c.pos, c.code)).collect::<Vec<_>>(), calls, "{path}");
    }
}

#[test]
fn forced_tokens_are_scored_after_the_prompt() {
    let score = json!({ "score": { "prompt": { "tokens": [97] } } });
    let seen = turn(ask(Script::says(""), score, json!({ "forced_tokens": [98, 99] })));
    assert_eq!((seen.prefill.len(), seen.prompt_tokens.len()), (3, 1));
}

#[test]
fn several_sequences_need_room_and_an_engine_that_has_them() {
    let score = |sequences: u32| json!({ "score": { "prompt": { "text": "abcd" }, "sequences": sequences } });
    for (sequences, n_batch, code) in [(2, 2, RefusalCode::Unsupported), (3, 2, RefusalCode::BadRequest)] {
        let seen = ask(Script::says(""), score(sequences), context(16, n_batch));
        assert_eq!(refusal(&seen).code, code, "{sequences}");
    }
    assert_eq!(turn(ask(Script::says(""), score(1), context(16, 2))).prefill.len(), 5);
}

#[test]
fn no_tokens_and_foreign_tokens_are_bad_requests() {
    for tokens in [json!([]), json!([-1]), json!([264])] {
        let score = json!({ "score": { "prompt": { "tokens": tokens } } });
        assert_eq!(refusal(&ask(Script::says(""), score, json!({}))).code, RefusalCode::BadRequest);
    }
}

#[test]
fn a_script_is_played_without_a_model() {
    let play = |mut script: serde_json::Value| {
        script["pieces"] = json!(["a", { "hex": "c3" }, { "hex": "a9" }, "ST", "OP", "z"]);
        turn(ask(Script::says(""), json!({ "stream": script }), json!({ "model": null })))
    };
    let cases = [
        (json!({}), StopReason::EndOfScript, "aéSTOPz", 6),
        (json!({ "stop_strings": ["STOP"] }), StopReason::StopString, "aé", 5),
        (json!({ "eog": [3] }), StopReason::Eog, "aé", 4),
        (json!({ "max_tokens": 2 }), StopReason::Length, "a\u{fffd}", 2),
        (json!({ "ids": [7, 7, 7, 7, 7, 8], "eog": [8] }), StopReason::Eog, "aéSTOP", 6),
    ];
    for (script, reason, answer, count) in cases {
        let seen = play(script.clone());
        let stop = seen.stop.map(|stop| stop.reason);
        assert_eq!((stop, seen.answer.as_deref()), (Some(reason), Some(answer)), "{script}");
        assert_eq!(seen.generated.len(), count, "{script}");
    }
}

#[test]
fn inspecting_lists_special_tokens_and_metadata() {
    let seen = ask(Script::says(""), json!({ "inspect": {} }), json!({}));
    let load = seen.load.expect("a model was loaded");
    assert_eq!(load.special.iter().map(|t| t.id).collect::<Vec<_>>(), (256..264).collect::<Vec<_>>());
    assert_eq!(load.special.iter().filter(|t| t.eog).count(), 2);
    assert_eq!(load.metadata["general.architecture"], "script");
    assert_eq!(load.n_ctx, None);
}
