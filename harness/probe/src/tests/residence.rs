//! One load per configuration, and nothing ready after a load that failed.

use serde_json::{Value, json};
use wire::{Ending, RefusalCode};

use super::desk::{Desk, chat, refusal};
use crate::testing::Script;

fn generate() -> Value {
    json!({ "generate": { "prompt": { "chat": chat("hi") }, "max_tokens": 5 } })
}

#[test]
fn equal_configurations_share_a_load_and_a_context() {
    let mut desk = Desk::new(Script::says("ok"));
    let other_load = json!({ "config": { "load": { "check_tensors": true } } });
    let other_context = json!({ "config": { "context": { "n_ctx": 64 } } });
    let steps = [
        (json!({}), 1, 1),
        (json!({}), 1, 1),
        (json!({ "isolation": "fresh" }), 1, 2),
        (other_context, 1, 3),
        (other_load, 2, 4),
        (json!({ "model": { "name": "b", "path": "b" } }), 3, 5),
    ];
    for (more, loads, contexts) in steps {
        let seen = desk.ask(generate(), more.clone());
        assert_eq!(seen.ending, Ending::Completed);
        assert_eq!((seen.loads, desk.contexts.get()), (loads, contexts), "{more}");
        assert_eq!(seen.turns[0].answer.as_deref(), Some("ok"), "{more}");
    }
}

#[test]
fn a_shared_context_is_cleared_first() {
    let mut desk = Desk::new(Script::says("ok"));
    let first = desk.ask(generate(), json!({}));
    let second = desk.ask(generate(), json!({}));
    assert_eq!(first.turns, second.turns);
}

#[test]
fn what_needs_no_context_makes_none() {
    let mut desk = Desk::new(Script::says("ok"));
    for stimulus in [json!({ "render": chat("hi") }), json!({ "inspect": {} }), json!({ "load": {} })] {
        let seen = desk.ask(stimulus, json!({}));
        assert_eq!((seen.loads, desk.contexts.get()), (1, 0));
        assert_eq!(seen.load.map(|load| load.n_ctx), Some(None));
    }
    let seen = desk.ask(json!({ "load": { "context": true } }), json!({}));
    assert_eq!((seen.load.and_then(|load| load.n_ctx), desk.contexts.get()), (Some(512), 1));
}

#[test]
fn a_failed_load_leaves_nothing_ready() {
    let mut desk = Desk::new(Script::says("ok"));
    desk.ask(generate(), json!({}));
    let broken = json!({ "model": { "name": "broken", "path": "broken" } });
    for loads in [2, 3] {
        let seen = desk.ask(generate(), broken.clone());
        assert_eq!(refusal(&seen).code, RefusalCode::MmapFailed);
        assert_eq!((seen.loads, &seen.load), (loads, &None));
        assert_eq!(seen.log_tail.last().map(String::as_str), Some("mmap failed: Cannot allocate memory"));
    }
    assert_eq!(desk.ask(generate(), json!({})).loads, 4);
}

#[test]
fn limits_are_never_shared() {
    let mut desk = Desk::new(Script::says("ok"));
    for loads in [1, 2] {
        let seen = desk.ask(json!({ "load": {} }), json!({ "limits": { "balloon": 1_u64 << 44 } }));
        assert_eq!((seen.ending, seen.loads), (Ending::Completed, loads));
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let mut desk = Desk::new(Script::says("ok"));
    let config = |context: Value| json!({ "config": { "context": context } });
    let cases = [
        (generate(), json!({ "model": null })),
        (generate(), config(json!({ "n_ctx": 0 }))),
        (generate(), config(json!({ "n_batch": 0 }))),
        (json!({ "load": { "context": true, "context_config": { "n_ctx": 0 } } }), json!({})),
    ];
    for (stimulus, more) in cases {
        assert_eq!(refusal(&desk.ask(stimulus, more.clone())).code, RefusalCode::BadRequest, "{more}");
    }
    let seen = desk.ask(generate(), json!({ "config": { "engine": "safe" } }));
    assert_eq!(refusal(&seen).code, RefusalCode::Unsupported);
    let adapter = json!({ "adapter": { "name": "a", "path": "a" } });
    assert_eq!(refusal(&desk.ask(generate(), adapter)).code, RefusalCode::Unsupported);
    let seen = desk.ask(generate(), config(json!({ "n_threads": 65 })));
    assert_eq!(refusal(&seen).code, RefusalCode::ContextFailed);
}
