//! Faults on a scripted engine: each breaks what it says, and nothing else.

use std::{cell::Cell, rc::Rc};

use serde_json::{Value, json};
use wire::{Ending, Observation, RefusalCode, Request, StopReason};

use super::desk::{Desk, card, chat, refusal};
use crate::{
    Fault, FaultyProbe, Observe,
    testing::{BOS, E, Script, ScriptedEngine, id},
};

struct Broken(FaultyProbe);

impl Broken {
    fn new(script: Script, fault: Fault) -> Self {
        let engine = ScriptedEngine::new(script, Rc::new(Cell::new(0)));
        Self(FaultyProbe::new(card(), vec![Box::new(engine)], fault))
    }

    fn ask(&mut self, stimulus: Value) -> Observation {
        let request = json!({
            "id": 1, "model": { "name": "script", "path": "script" }, "stimulus": stimulus,
        });
        let request: Request = serde_json::from_value(request).expect("a test writes sound requests");
        self.0.observe(&request)
    }
}

fn generate(fault: Fault, script: Script, more: Value) -> Observation {
    let mut spec = json!({ "prompt": { "chat": chat("q") }, "max_tokens": 8, "score": true });
    if let (Value::Object(spec), Value::Object(more)) = (&mut spec, more) {
        spec.extend(more);
    }
    Broken::new(script, fault).ask(json!({ "generate": spec }))
}

fn ids(observation: &Observation) -> Vec<i32> {
    observation.turns[0].generated.iter().map(|token| token.id).collect()
}

fn reason(observation: &Observation) -> Option<StopReason> {
    observation.turns[0].stop.as_ref().map(|stop| stop.reason)
}

#[test]
fn the_card_names_the_fault() {
    let broken = Broken::new(Script::says("ok"), Fault::EogLowered);
    assert_eq!(broken.0.card().fault.as_deref(), Some("eog-lowered"));
    assert_eq!(Desk::new(Script::says("ok")).probe.card().fault, None);
}

#[test]
fn a_fault_elsewhere_changes_no_answer() {
    let sound = Desk::new(Script::says("ok")).ask(
        json!({ "generate": { "prompt": { "chat": chat("q") }, "max_tokens": 8, "score": true } }),
        json!({}),
    );
    let seen = generate(Fault::SlowReply, Script::says("ok"), json!({}));
    assert_eq!(seen.turns, sound.turns);
    assert_eq!(seen.fault_effect, None);
}

#[test]
fn the_end_is_forgotten_or_seen_late() {
    let seen = generate(Fault::EogForgotten, Script::says("ok"), json!({}));
    assert_eq!((ids(&seen).len(), reason(&seen)), (8, Some(StopReason::Length)));
    let seen = generate(Fault::StopLate, Script::says("ok"), json!({}));
    assert_eq!(ids(&seen)[..3], [id('o'), id('k'), E]);
    assert_eq!((ids(&seen).len(), reason(&seen)), (4, Some(StopReason::Eog)));
}

#[test]
fn what_logits_suffer_is_measured() {
    for (fault, nmse) in
        [(Fault::NoiseThousandth, 1e-3), (Fault::NoiseHundredth, 1e-2), (Fault::NoiseWhole, 1.0)]
    {
        let effect = generate(fault, Script::says("ok"), json!({})).fault_effect.expect("measured");
        assert!((effect.nmse / nmse - 1.0).abs() < 0.01, "{fault:?}: {effect:?}");
        assert!(effect.positions > 0 && effect.not_finite == 0, "{effect:?}");
    }
    let seen = generate(Fault::LogitsOneNan, Script::says("ok"), json!({}));
    let effect = seen.fault_effect.expect("measured");
    assert_eq!((effect.nmse, effect.not_finite), (0.0, effect.positions));
    assert_eq!(seen.turns[0].prefill[0].nan, 1);
    let seen = generate(Fault::LogitsStale, Script::says("ok"), json!({}));
    assert!(!seen.turns[0].prefill[0].stale && seen.turns[0].decode.iter().all(|position| position.stale));
}

#[test]
fn memory_is_not_what_the_wrapper_thinks() {
    let converse = |fault| {
        let spec = json!({ "turns": [{ "user": "q" }, { "user": "q" }], "memory": "cleared",
                           "history": "last-only", "max_tokens": 8 });
        let seen = Broken::new(Script::says("ok"), fault).ask(json!({ "converse": spec }));
        seen.turns
            .into_iter()
            .map(|turn| (turn.memory.map(|memory| memory.pos_max), turn.decode_calls))
            .collect()
    };
    // A turn decodes 5 tokens of prompt and 2 of its answer.
    let turns: Vec<_> = converse(Fault::MemoryNotCleared);
    assert_eq!((turns[0].0, turns[1].0), (Some(6), Some(13)));
    assert_eq!((turns[1].1[0].pos, turns[1].1[0].code), (0, 0));
    let turns: Vec<_> = converse(Fault::TurnFromZero);
    assert_eq!(turns[1].1[0].code, -1);
}

#[test]
fn tokens_are_made_wrongly() {
    let prompt = |fault| -> Vec<i32> {
        let seen = Broken::new(Script::says("ok"), fault).ask(json!({ "render": chat("q") }));
        seen.turns[0].prompt_tokens.iter().map(|token| token.id).collect()
    };
    let sound = prompt(Fault::Abort);
    assert_eq!(sound[0], BOS);
    assert_eq!(prompt(Fault::DoubleBos), [&[BOS], &sound[..]].concat());
    assert_eq!(prompt(Fault::NoBos), sound[1..]);
    let as_text = prompt(Fault::SpecialAsText);
    assert!(as_text.len() > sound.len() && as_text[1..].iter().all(|id| *id < BOS), "{as_text:?}");
}

#[test]
fn templates_get_lost_or_are_another_familys() {
    let render = |fault| Broken::new(Script::says("ok"), fault).ask(json!({ "render": chat("q") }));
    assert_eq!(refusal(&render(Fault::TemplateMissing)).code, RefusalCode::NoTemplate);
    let foreign = render(Fault::TemplateForeign);
    assert!(foreign.turns[0].prompt.as_deref().is_some_and(|prompt| prompt.contains("<|im_start|>user\nq")));
}

#[test]
fn text_is_made_of_each_token_alone() {
    let stop = json!({ "stop_strings": ["kx"] });
    let seen = generate(Fault::StopStringMissed, Script::says("okx"), stop.clone());
    assert_eq!((seen.turns[0].answer.as_deref(), reason(&seen)), (Some("okx"), Some(StopReason::Eog)));
    let alone = json!({ "stop_strings": ["k"] });
    let seen = generate(Fault::StopStringMissed, Script::says("okx"), alone);
    assert_eq!((seen.turns[0].answer.as_deref(), reason(&seen)), (Some("o"), Some(StopReason::StopString)));
    let seen = generate(Fault::Utf8Cut, Script::says("é!"), json!({}));
    assert_eq!(seen.turns[0].answer.as_deref(), Some("\u{fffd}\u{fffd}!"));
    assert_eq!(seen.ending, Ending::Completed);
}

#[test]
fn budgets_thoughts_and_messages_are_misread() {
    let seen = generate(Fault::BudgetMiscounted, Script::says("much more"), json!({ "max_tokens": 3 }));
    assert_eq!(ids(&seen).len(), 4);
    let tags = json!({ "thinking": { "open": "<think>", "close": "</think>" } });
    let seen = generate(Fault::ThoughtNotSplit, Script::says("<think>h</think>!"), tags);
    assert_eq!(seen.turns[0].thinking, None);
}
