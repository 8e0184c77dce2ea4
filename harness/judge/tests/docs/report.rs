//! docs/report.md has a table for every object of the JSON report and of a recording, with its fields and no others.

use std::collections::{BTreeMap, BTreeSet};

use judge::case::Case;
use judge::evidence::{Amount, Evidence, Expectation, MemoryEvidence, PositionEvidence, TurnEvidence};
use judge::finding::{Code, Finding};
use judge::report::{FileReport, Format, REPORT_VERSION};
use judge::session::{Event, Listener as _, Summary};
use judge::subject::{RECORDING_VERSION, RecordedRun, Recording};
use judge::trace::{TraceOutcome, Traced};
use judge::triage::Blame;
use judge::verdict::{Outcome, Placement, Record, Totals};
use serde_json::Value;
use wire::{
    Capability, Card, Config, Device, DeviceKind, Ending, EngineKind, Isolation, Layer, Limits, Node,
    Observation, Request, Stimulus, Stop, StopReason, TemplateEngine, Token, TokenKind,
};

use crate::page::{Page, root};

const PAGE: &str = "docs/report.md";

fn card() -> Card {
    Card {
        backend: "cpu".into(),
        devices: vec![Device { name: "CPU".into(), description: "a CPU".into(), kind: DeviceKind::Cpu }],
        os: "os".into(),
        arch: "arch".into(),
        cpu_features: "SSE2".into(),
        llama_version: "b1".into(),
        llama_build: Some(1),
        bindings: "crate 1".into(),
        capabilities: vec![Capability::Render],
        engines: vec![EngineKind::Raw],
        template_engines: vec![TemplateEngine::Minijinja],
        wrapper: "wrapper 1".into(),
        fault: Some("fault".into()),
    }
}

fn node(op: &str, backend: &str, count: u32) -> Node {
    Node { op: op.into(), backend: backend.into(), count }
}

fn evidence() -> Evidence {
    let token = Token { id: 1, piece: "a".into(), kind: TokenKind::Control };
    let stop = Stop { reason: StopReason::Eog, token: Some(1), string: Some("a".into()) };
    let text = || Some("a".to_owned());
    let position = PositionEvidence {
        pos: 1,
        after: "a".into(),
        kl: Some(0.5),
        nmse: Some(0.5),
        margin: Some(0.5),
        expected_margin: Some(0.5),
        other_top: true,
    };
    let turn = TurnEvidence {
        prompt: text(),
        prompt_tokens: vec![token.clone()],
        prompt_tokens_left_out: 1,
        generated: vec![token],
        generated_left_out: 1,
        thinking: text(),
        answer: text(),
        stop: Some(stop.clone()),
        expected: Some(Expectation { prompt: text(), thinking: text(), answer: text(), stop: Some(stop) }),
        positions: vec![position],
    };
    let amount = || vec![Amount { name: "a".into(), bytes: 1 }];
    Evidence {
        compared_with: text(),
        kl_limit: Some(0.5),
        turns: vec![turn],
        memory: Some(MemoryEvidence { buffers: amount(), limits: amount() }),
    }
}

fn record() -> Record {
    Record {
        case: "eog/x".into(),
        model: "m".into(),
        asked_as: Some("m.gguf".into()),
        subject: "cpu".into(),
        asked_with: Some("--probe p".into()),
        outcome: Outcome::Fail,
        reason: Some("reason".into()),
        findings: vec![Finding {
            code: Code::Died,
            layer: Layer::Decode,
            message: "it died".into(),
            turn: Some(0),
            check: Some(0),
        }],
        blame: Some(Blame {
            layer: Layer::Decode,
            code: Code::Died,
            sentence: "it died".into(),
            next: "look".into(),
        }),
        line: Some(7),
        evidence: Some(Box::new(evidence())),
        placement: Placement::of(&[node("MUL_MAT", "Vulkan0", 2), node("ADD", "CPU", 1)]),
        trace: Some(Box::new(Traced {
            outcome: TraceOutcome::Node,
            sentence: "it is wrong".into(),
            text: "it is wrong".into(),
        })),
        pending: Some("golden/m/eog__x.snap.new".into()),
        log_tail: vec!["a line".into()],
        milliseconds: 1.5,
        compute_us: 1000,
    }
}

/// A report with every field set.
fn report() -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let mut report = FileReport::create(Format::Json, &path).unwrap();
    let subjects = [("cpu".to_owned(), card())];
    let case = serde_json::json!({
        "id": "eog/x", "why": "x", "links": ["https://x"], "stimulus": {"inspect": {}}, "checks": []
    });
    let case: Case = serde_json::from_value(case).unwrap();
    let partition = Some("1/3".parse().unwrap());
    report
        .hear(Event::Planned { items: 1, subjects: &subjects, jobs: 2, cases: &[&case], partition })
        .unwrap();
    let summary = Summary {
        records: vec![record()],
        totals: Totals::default(),
        stale: vec!["eog/y".into()],
        wall_ms: 2.5,
        interrupted: false,
    };
    report.hear(Event::Finished(&summary)).unwrap();
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The fields of every object in `value`, by the object's place.
fn fields(value: &Value, place: &str, found: &mut BTreeMap<String, BTreeSet<String>>) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| fields(value, &format!("{place}[]"), found)),
        // Its keys are names of devices.
        Value::Object(_) if place.starts_with("results[].placement.") => {}
        Value::Object(map) if place == "cards" || place == "cases" => {
            map.values().for_each(|value| fields(value, &format!("{place}.*"), found));
        }
        Value::Object(map) => {
            found.entry(place.to_owned()).or_default().extend(map.keys().cloned());
            for (key, value) in map {
                let place = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
                fields(value, &place, found);
            }
        }
        _ => {}
    }
}

/// The top fields of a recording's header and of its items.
fn recording(found: &mut BTreeMap<String, BTreeSet<String>>) {
    let folder = tempfile::tempdir().unwrap();
    let run = RecordedRun {
        filters: vec!["a".into()],
        partition: Some("1/3".parse().unwrap()),
        ..RecordedRun::default()
    };
    let recording = Recording::create(folder.path(), run).unwrap();
    let limits = Limits::default();
    let (config, isolation, stimulus) = (Config::default(), Isolation::Fresh, Stimulus::Inspect {});
    let (forced_tokens, watch) = (None, None);
    let request = Request {
        id: 1,
        model: None,
        adapter: None,
        config,
        stimulus,
        limits,
        forced_tokens,
        isolation,
        watch,
    };
    recording.put("key", &request, &card(), &Observation::ended(Ending::Completed)).unwrap();
    let item = std::fs::read_dir(folder.path().join("items")).unwrap().next().unwrap().unwrap().path();
    for (place, path) in [("recording.json", folder.path().join("recording.json")), ("items/*.json", item)] {
        let value: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        found.insert(place.into(), value.as_object().unwrap().keys().cloned().collect());
    }
}

#[test]
fn the_tables_are_what_is_written() {
    let mut written = BTreeMap::new();
    fields(&report(), "", &mut written);
    recording(&mut written);
    let mut documented: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (heading, name) in Page::read(PAGE).first_column("field") {
        let place = if heading == "The document" { "" } else { heading.trim_matches('`') };
        documented.entry(place.to_owned()).or_default().insert(name);
    }
    assert_eq!(documented, written, "left is {PAGE}, right is what is written");
}

#[test]
fn the_versions_and_every_outcome_and_layer_are_documented() {
    let source = std::fs::read_to_string(root().join(PAGE)).unwrap();
    assert!(source.contains(&format!("## The JSON report, version {REPORT_VERSION}\n")));
    assert!(source.contains(&format!("## The recording, version {RECORDING_VERSION}\n")));
    let error = serde_json::from_str::<Outcome>("\"?\"").unwrap_err().to_string();
    let outcomes: Vec<&str> = error.split('`').skip(3).step_by(2).collect();
    assert!(outcomes.contains(&"pass"), "{error}");
    let documented: Vec<String> =
        Page::read(PAGE).first_column("outcome").into_iter().map(|(_, name)| name).collect();
    assert_eq!(BTreeSet::from_iter(outcomes), documented.iter().map(String::as_str).collect());
    let layers = Layer::ALL.map(|layer| format!("`{}`", layer.name())).join(", ");
    assert!(source.replace('\n', " ").contains(&layers), "the layers in their order: {layers}");
}
