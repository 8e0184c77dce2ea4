//! The walk: which node is named, and which errors are explained.

use std::slice::from_ref;

use judge::trace::{pairs, walk};
use proptest::prelude::*;

use crate::graphs::{Made, values, wrong};

/// A chain of nodes, each computed from the one before, with the error that `error` gives to each.
fn chain(ops: &[&str], error: impl Fn(usize) -> f64) -> (Made, Made) {
    let (mut ours, mut reference) = (Made::default(), Made::default());
    let token = values(0);
    let mut inputs = [ours.leaf("inp", "f32", &token, false), reference.leaf("inp", "f32", &token, false)];
    for (index, op) in ops.iter().enumerate() {
        let right = values(index as u32 + 1);
        let name = format!("x-{index}");
        inputs[0] = ours.node(&name, op, &[inputs[0]], &wrong(&right, error(index), index as u32));
        inputs[1] = reference.node(&name, op, &[inputs[1]], &right);
    }
    (ours, reference)
}

/// The name of the first wrong node.
fn first(ours: &Made, reference: &Made) -> Option<String> {
    let pairs = pairs(&ours.graph, &reference.graph);
    walk(&pairs).first.map(|step| step.pair.ours.result.tensor.name.clone())
}

const OPS: [&str; 6] = ["RMS_NORM", "MUL_MAT", "ROPE", "MUL_MAT", "ADD", "MUL_MAT"];

#[test]
fn errors_that_each_input_explains_name_nothing() {
    for (what, error) in [
        ("equal", [0.0; 6]),
        ("the last bit", [1e-14; 6]),
        ("growing tenfold in amplitude", [1e-9, 5e-8, 2e-6, 1e-4, 5e-3, 0.3]),
    ] {
        let (ours, reference) = chain(&OPS, |index| error[index]);
        assert_eq!(first(&ours, &reference), None, "{what}");
    }
}

#[test]
fn the_first_node_is_named_and_not_what_follows_from_it() {
    for (error, expected) in [
        ([1e-14, 1e-13, 1e-3, 2e-3, 1e-2, 0.1], Some("x-2")),
        ([1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3], Some("x-0")),
        ([0.0, 0.0, 0.0, 0.0, 0.0, 0.9], Some("x-5")),
        // What test-backend-ops lets pass in a matrix product is no fault, and not in a ROPE.
        ([0.0, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4], None),
        ([0.0, 0.0, 1e-4, 1e-4, 1e-4, 1e-4], Some("x-2")),
    ] {
        let (ours, reference) = chain(&OPS, |index| error[index]);
        assert_eq!(first(&ours, &reference).as_deref(), expected, "{error:?}");
    }
}

proptest! {
    #[test]
    fn whichever_node_is_wrong_is_named(wrong in 0..6usize, exponent in -3.0..0.0f64) {
        let error = 10f64.powf(exponent) * 3.0;
        let (ours, reference) = chain(&OPS, |index| if index < wrong { 1e-14 } else { error });
        prop_assert_eq!(first(&ours, &reference), Some(format!("x-{wrong}")));
    }
}

/// The nodes of two runs that differ in what they compute from `parts`.
fn operator(op: &str, parts: &[(Vec<f32>, Vec<f32>)], results: &(Vec<f32>, Vec<f32>)) -> Option<String> {
    let (mut ours, mut reference) = (Made::default(), Made::default());
    let (mut mine, mut theirs) = (Vec::new(), Vec::new());
    for (index, (a, b)) in parts.iter().enumerate() {
        mine.push(ours.leaf(&format!("in{index}"), "f32", a, false));
        theirs.push(reference.leaf(&format!("in{index}"), "f32", b, false));
    }
    ours.node("out", op, &mine, &results.0);
    reference.node("out", op, &theirs, &results.1);
    first(&ours, &reference)
}

#[test]
fn a_sum_that_cancels_makes_the_same_error_relatively_larger() {
    let large: Vec<f32> = values(1).iter().map(|value| value * 100.0).collect();
    let small = values(2);
    let part = |seed| (wrong(&large, 1e-4, seed), large.clone());
    let result = (wrong(&small, 1e-4, 3), small.clone());
    assert_eq!(operator("ADD", &[part(3), part(4)], &result), None);
    // The same error in the result, and none in the parts: the sum is wrong.
    let right = (large.clone(), large.clone());
    assert_eq!(operator("ADD", &[right.clone(), right], &result), Some("out".to_owned()));
}

#[test]
fn a_softmax_makes_relative_errors_of_absolute_ones() {
    let logits: Vec<f32> = values(1).iter().map(|value| value * 50.0).collect();
    let input = (wrong(&logits, 1e-4, 2), logits.clone());
    let result = |error| (wrong(&values(5), error, 6), values(5));
    assert_eq!(operator("SOFT_MAX", from_ref(&input), &result(1e-3)), None);
    assert_eq!(operator("SOFT_MAX", from_ref(&input), &result(0.02)), None);
    assert_eq!(operator("SOFT_MAX", &[input], &result(0.9)), Some("out".to_owned()));
    let exact = (logits.clone(), logits);
    assert_eq!(operator("SOFT_MAX", &[exact], &result(1e-3)), Some("out".to_owned()));
}

#[test]
fn what_is_not_finite_is_named_where_it_first_is() {
    let mut broken = values(9);
    broken[3] = f32::NAN;
    let sound = (values(1), values(1));
    assert_eq!(operator("ROPE", from_ref(&sound), &(broken.clone(), values(9))), Some("out".to_owned()));
    assert_eq!(operator("ROPE", &[(broken.clone(), values(9))], &(broken.clone(), values(8))), None);
    assert_eq!(operator("ROPE", &[sound], &(broken.clone(), broken)), None, "as in the reference");
}

#[test]
fn an_expert_chosen_otherwise_explains_what_follows() {
    let choose = |error: f64| {
        let (mut ours, mut reference) = (Made::default(), Made::default());
        let scores = values(1);
        let ids: Vec<f32> = (0..8).map(|id| id as f32).collect();
        let mut other = ids.clone();
        other.swap(2, 3);
        for (made, scores, ids, out) in [
            (&mut ours, wrong(&scores, error, 5), other, values(3)),
            (&mut reference, scores.clone(), ids, values(4)),
        ] {
            let weight = made.leaf("w", "f16", &values(8), true);
            let scores = made.leaf("scores", "f32", &scores, false);
            let ids = made.node("top", "ARGSORT", &[scores], &ids);
            made.node("out", "MUL_MAT_ID", &[weight, ids], &out);
        }
        first(&ours, &reference)
    };
    assert_eq!(choose(1e-12), None, "a near-tie");
    assert_eq!(choose(0.0), Some("top".to_owned()), "from equal scores");
}

#[test]
fn graphs_of_another_form_are_compared_where_they_can() {
    let (mut ours, mut reference) = chain(&OPS, |_| 0.0);
    let last = ours.node("extra", "ADD", &[], &values(1));
    ours.node("end", "ADD", &[last], &values(2));
    reference.node("end", "ADD", &[], &values(3));
    let pairs = pairs(&ours.graph, &reference.graph);
    assert_eq!(pairs.only_ours()[0].name, "extra");
    assert_eq!((pairs.only_reference.len(), walk(&pairs).compared), (0, 6));
    assert!(walk(&pairs).first.is_none(), "nothing is known of what `end` was computed from");
}
