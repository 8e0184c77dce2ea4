//! All questions of a trace, to two subjects that are made by hand.

use judge::numbers::Tolerance;
use judge::subject::SubjectError;
use judge::trace::{Cause, Question, Side, TraceError, TraceOutcome, TraceReport, trace};
use serde_json::json;
use wire::{DecodeCall, Ending, Graph, Layer, Observation, Position, Refusal, RefusalCode, Request, Turn};

use crate::graphs::{Made, values, wrong};

/// How wrong the subject is.
#[derive(Clone, Copy, Debug, Default)]
struct Fault {
    /// Its logits, unless somebody looks.
    unwatched: f64,
    /// Its logits, always.
    logits: f64,
    /// A weight of layer 1.
    weight: f64,
    /// What layer 1 computes, from the second call on.
    operator_from_call: Option<u32>,
    /// Its matrix products, all of them, a little.
    everywhere: f64,
    /// What it was given.
    positions: bool,
    /// The parameters of its ROPE.
    rope_base: f32,
}

const CALLS: u32 = 6;

/// The graph of one call: a ROPE whose result goes into a memory, and layer 1 that reads it.
fn made(fault: &Fault, call: u32) -> Made {
    let mut made = Made::default();
    let seed = 100 * call;
    let remembers = fault.operator_from_call.is_some_and(|from| from < call);
    let wrongs = fault.operator_from_call.is_some_and(|from| from == call);
    let error = |yes: bool| if yes { 0.1 } else { 0.0 };
    let positions: Vec<f32> = (0..8).map(|pos| pos as f32 + f32::from(u8::from(fault.positions))).collect();
    let inp = made.leaf("inp_pos", "i32", &positions, false);
    let cache = made.leaf("cache_k_l1", "f16", &wrong(&values(7), error(remembers), 1), false);
    let weight = made.leaf("blk.1.attn_q.weight", "f16", &wrong(&values(8), fault.weight, 2), true);
    let rope_error = if fault.rope_base == 0.0 { error(fault.positions) } else { 0.5 };
    let rope = made.node("Kcur-1", "ROPE", &[inp], &wrong(&values(seed + 1), rope_error, 3));
    if fault.rope_base != 0.0
        && let Some(node) = made.graph.nodes.last_mut()
    {
        node.params = vec![0, 0, 0, 0, 0, fault.rope_base.to_bits().cast_signed()];
    }
    let product = (fault.weight + error(remembers || wrongs) + rope_error + fault.everywhere).min(1.0);
    let q = made.node("Qcur-1", "MUL_MAT", &[weight, rope, cache], &wrong(&values(seed + 2), product, 4));
    let grown = (product + 30.0 * fault.everywhere).min(1.0);
    made.node("result_output", "MUL_MAT", &[q], &wrong(&values(seed + 3), grown, 5));
    made
}

fn answer(side: Side, request: &Request, fault: &Fault) -> Observation {
    let sound = Fault::default();
    let fault = if side == Side::Ours { fault } else { &sound };
    let watched = request.watch.is_some();
    let tokens = |at: i32| DecodeCall { pos: at, n_tokens: 1, code: 0 };
    let position = |call: u32| {
        let made = made(fault, call);
        let data = made.data(&[wire::Want { tensor: made.graph.nodes[2].result.tensor.clone(), from: 0 }]);
        let more = fault.logits + if watched { 0.0 } else { fault.unwatched };
        Position::of(call as i32, &wrong(&data.data[0].values.0, more, 6), &[], None)
    };
    let turn = Turn {
        prefill: (0..CALLS).map(position).collect(),
        decode_calls: (0..CALLS as i32).map(tokens).collect(),
        ..Turn::default()
    };
    let graph = request.watch.as_ref().map(|watch| {
        let made = made(fault, watch.call);
        if watch.data.is_empty() { made.graph } else { made.data(&watch.data) }
    });
    Observation { turns: vec![turn], graph, ..Observation::ended(Ending::Completed) }
}

fn question(stimulus: &serde_json::Value) -> Question {
    let request = json!({"id": 1, "model": {"name": "m", "path": "m.gguf"}, "stimulus": stimulus});
    Question {
        request: serde_json::from_value(request).unwrap(),
        tolerance: Tolerance {
            name: "t".into(),
            backend: None,
            model: None,
            variant: None,
            nmse: 1e-3,
            kl: 1e9,
            eog: 1e9,
            near_tie: 0.1,
            why: "w".into(),
        },
        case: "numbers/x".into(),
        model: "m".into(),
        subject: "vulkan".into(),
        fault: None,
        reference: "cpu".into(),
    }
}

fn traced(fault: Fault) -> TraceReport {
    let question = question(&json!({"score": {"prompt": {"tokens": [1, 2, 3]}, "path": "token-by-token"}}));
    trace(&question, &mut |side, request| Ok(answer(side, request, &fault))).unwrap()
}

#[track_caller]
fn check(fault: Fault, outcome: TraceOutcome, node: Option<&str>) -> TraceReport {
    let report = traced(fault);
    let name = report.suspect.as_ref().map(|suspect| suspect.tensor.name.as_str());
    assert_eq!((report.outcome, name), (outcome, node), "{report}");
    report
}

#[test]
fn a_sound_subject_is_sound() {
    let report = check(Fault::default(), TraceOutcome::Agrees, None);
    assert_eq!((report.compared, report.worst_nmse), (3, Some(0.0)));
    assert!(report.outcome.is_fine());
}

#[test]
fn of_several_ways_to_have_the_weights_the_last_is_traced_on_both_sides() {
    let score =
        json!({"score": {"prompt": {"tokens": [1]}, "path": "token-by-token", "ways": ["drawn", "saved"]}});
    let mut asked = 0;
    let report = trace(&question(&score), &mut |side, request| {
        let wire::Stimulus::Score(spec) = &request.stimulus else { panic!("not score") };
        assert_eq!((spec.ways.len(), request.config.load.weights), (0, wire::Weights::Saved));
        asked += 1;
        Ok(answer(side, request, &Fault { weight: 0.2, ..Fault::default() }))
    })
    .unwrap();
    assert_eq!(report.outcome, TraceOutcome::Node, "{report}");
    assert!(asked >= 4, "{asked}");
}

#[test]
fn a_weight_is_named_with_its_node_and_the_worst_values() {
    let report = check(Fault { weight: 0.2, ..Fault::default() }, TraceOutcome::Node, Some("Qcur-1"));
    let suspect = report.suspect.clone().unwrap();
    assert_eq!((suspect.cause, suspect.layer, suspect.worst.len()), (Cause::Weight, Some(1), 10));
    let text = report.to_string();
    assert!(text.contains("the first wrong node: layer 1, MUL_MAT Qcur-1\n"), "{text}");
    assert!(text.contains("its weight blk.1.attn_q.weight is not the reference's"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn other_parameters_are_named() {
    let report = check(Fault { rope_base: 1e4, ..Fault::default() }, TraceOutcome::Node, Some("Kcur-1"));
    let suspect = report.suspect.clone().unwrap();
    assert_eq!((suspect.cause, suspect.parameters[0].name.as_str()), (Cause::Parameters, "freq_base"));
}

#[test]
fn a_memory_that_was_written_wrong_leads_to_the_call_that_wrote_it() {
    for from in 0..CALLS {
        // Logits differ from `from` on; hide those before the last call, as a prompt's are not read.
        let fault = Fault { operator_from_call: Some(from), ..Fault::default() };
        let question = question(&json!({"score": {"prompt": {"tokens": [1]}}}));
        let report = trace(&question, &mut |side, request| {
            let mut answer = answer(side, request, &fault);
            answer.turns[0].prefill.drain(..CALLS as usize - 1);
            Ok(answer)
        })
        .unwrap();
        let name = report.suspect.as_ref().map(|suspect| suspect.tensor.name.as_str());
        assert_eq!(
            (report.outcome, report.call, name),
            (TraceOutcome::Node, from, Some("Qcur-1")),
            "{report}"
        );
        assert_eq!(report.suspect.unwrap().cause, Cause::Operator);
    }
}

#[test]
fn what_goes_when_somebody_looks_was_fusion_or_concurrency() {
    let report = check(Fault { unwatched: 0.1, ..Fault::default() }, TraceOutcome::Vanished, None);
    assert_eq!(report.switches[0], "GGML_VK_DISABLE_FUSION=1");
    assert!(report.to_string().contains("fusion, concurrency or\nasync"), "{report}");
}

#[test]
fn what_no_node_shows_lies_behind_the_graph() {
    check(Fault { logits: 0.1, ..Fault::default() }, TraceOutcome::BehindTheGraph, None);
}

#[test]
fn other_positions_are_no_fault_of_a_node() {
    let report = check(Fault { positions: true, ..Fault::default() }, TraceOutcome::Given, None);
    assert_eq!(report.given[0].tensor.name, "inp_pos");
}

#[test]
fn small_errors_everywhere_are_said_to_grow() {
    let fault = Fault { everywhere: 4e-4, ..Fault::default() };
    check(fault, TraceOutcome::Growth, Some("Qcur-1"));
}

#[test]
fn nothing_can_be_traced_where_nothing_is_computed() {
    let question = question(&json!({"inspect": {}}));
    let result = trace(&question, &mut |_, _| -> Result<Observation, SubjectError> { panic!("asked") });
    assert!(matches!(result, Err(TraceError::NothingComputed("inspect"))));
}

#[test]
fn a_subject_that_refuses_or_shows_nothing_ends_the_trace() {
    let question = question(&json!({"score": {"prompt": {"tokens": [1]}}}));
    let refusal = Refusal { layer: Layer::Load, code: RefusalCode::LoadFailed, message: "no".into() };
    let refused = trace(&question, &mut |side, request| match side {
        Side::Ours => Ok(Observation::ended(Ending::Refused(refusal.clone()))),
        Side::Reference => Ok(answer(side, request, &Fault::default())),
    });
    assert!(matches!(refused, Err(TraceError::NoAnswer { subject, .. }) if subject == "vulkan"));
    let blind = trace(&question, &mut |side, request| {
        Ok(Observation { graph: None::<Graph>, ..answer(side, request, &Fault::default()) })
    });
    assert!(matches!(blind, Err(TraceError::NoGraph { .. })));
}
