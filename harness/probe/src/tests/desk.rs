//! Asking a scripted probe.

use std::{cell::Cell, rc::Rc};

use serde_json::{Value, json};
use wire::{Card, Ending, Observation, Refusal, Request, Turn};

use crate::{
    Probe,
    testing::{Script, ScriptedEngine},
};

/// A probe on a script.
pub(super) struct Desk {
    pub(super) probe: Probe,
    pub(super) contexts: Rc<Cell<u32>>,
}

impl Desk {
    pub(super) fn new(script: Script) -> Self {
        let contexts = Rc::new(Cell::new(0));
        let engine = ScriptedEngine::new(script, Rc::clone(&contexts));
        Self { probe: Probe::new(card(), vec![Box::new(engine)]), contexts }
    }

    /// Asks with `stimulus` and whatever else of a request `more` holds.
    pub(super) fn ask(&mut self, stimulus: Value, more: Value) -> Observation {
        let mut request = json!({
            "id": 1,
            "model": { "name": "script", "path": "script" },
            "stimulus": stimulus,
        });
        if let (Value::Object(request), Value::Object(more)) = (&mut request, more) {
            request.extend(more);
        }
        let request: Request = serde_json::from_value(request).expect("a test writes sound requests");
        self.probe.observe(&request)
    }
}

/// Asks a new probe.
pub(super) fn ask(script: Script, stimulus: Value, more: Value) -> Observation {
    Desk::new(script).ask(stimulus, more)
}

/// The only turn of an observation that completed.
pub(super) fn turn(observation: Observation) -> Turn {
    assert_eq!(observation.ending, Ending::Completed);
    let [turn] = <[Turn; 1]>::try_from(observation.turns).expect("one turn");
    turn
}

/// The refusal of an observation.
pub(super) fn refusal(observation: &Observation) -> &Refusal {
    match &observation.ending {
        Ending::Refused(refusal) => refusal,
        other => panic!("not refused: {other:?}"),
    }
}

/// A chat of one user message.
pub(super) fn chat(text: &str) -> Value {
    json!({ "messages": [{ "role": "user", "content": text }] })
}

/// A request's `config` with this context.
pub(super) fn context(n_ctx: u32, n_batch: u32) -> Value {
    json!({ "config": { "context": { "n_ctx": n_ctx, "n_batch": n_batch } } })
}

pub(super) fn card() -> Card {
    Card {
        backend: "script".to_owned(),
        devices: Vec::new(),
        os: String::new(),
        arch: String::new(),
        cpu_features: String::new(),
        llama_version: String::new(),
        llama_build: None,
        bindings: String::new(),
        capabilities: Vec::new(),
        engines: Vec::new(),
        template_engines: Vec::new(),
        wrapper: String::new(),
        fault: None,
    }
}
