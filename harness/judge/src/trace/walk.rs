//! Along the graph, from the first node to the last.

use serde::{Deserialize, Serialize};
use wire::{GraphInput, GraphTensor, TensorName};

use super::error::{Source, allowed, explained, nmse};
use super::{Pair, Pairs};

/// Below this an error is the last bit of an f32.
const LAST_BIT: f64 = 1e-13;

/// Operators that compute nothing: what they show differs only if what they show it of does.
const NO_WORK: [&str; 5] = ["NONE", "PERMUTE", "RESHAPE", "TRANSPOSE", "VIEW"];

/// What one node adds to the error.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The node.
    pub pair: Pair<'a>,
    /// Its index among the subject's nodes.
    pub index: usize,
    /// How far its result is from the reference's.
    pub error: f64,
    /// The largest error of its inputs.
    pub input_error: f64,
    /// What backends may differ by here, and what the inputs explain.
    pub allowed: f64,
    /// How many times larger the error is than what the inputs bring with them.
    pub growth: f64,
}

/// Something that was there before the call and is not the same in both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Given {
    /// What.
    pub tensor: TensorName,
    /// How far it is from the reference's; 1 where ids or positions differ.
    pub nmse: f64,
}

/// What the walk found.
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    /// The first node whose result differs by more than what is allowed.
    pub first: Option<Step<'a>>,
    /// The nodes at which the error grows most, the largest growth first; at most three.
    pub growths: Vec<Step<'a>>,
    /// What was different before the call, the worst first.
    pub given: Vec<Given>,
    /// Nodes that were compared.
    pub compared: usize,
    /// The largest error of any node.
    pub worst: f64,
    /// The largest part that any node's error is of what is allowed there: 1 and less is no news.
    pub nearest: f64,
}

/// Compares node by node.
pub fn walk<'a>(pairs: &Pairs<'a>) -> Walk<'a> {
    let mut errors: Vec<Option<f64>> = Vec::with_capacity(pairs.nodes.len());
    let mut walked =
        Walk { first: None, growths: Vec::new(), given: given(pairs), compared: 0, worst: 0.0, nearest: 0.0 };
    for (index, &(ours, reference)) in pairs.nodes.iter().enumerate() {
        let sources: Option<Vec<Source<'a>>> =
            ours.inputs.iter().map(|input| source(pairs, &errors, *input)).collect();
        let input_error = sources.iter().flatten().map(|source| source.error).fold(0.0, f64::max);
        let passes_on = NO_WORK.contains(&ours.result.tensor.op.as_str());
        let measured = reference.and_then(|reference| nmse(&ours.result, &reference.result));
        errors.push(measured.or_else(|| (passes_on && sources.is_some()).then_some(input_error)));
        let (Some(error), Some(sources), Some(reference), false) = (measured, sources, reference, passes_on)
        else {
            continue;
        };
        walked.compared += 1;
        walked.worst = walked.worst.max(error);
        let (allowed, inherited) = (allowed(ours, &sources), explained(ours, &sources));
        walked.nearest = walked.nearest.max(error / allowed);
        let growth = error / (inherited + LAST_BIT);
        let step = Step { pair: Pair { ours, reference }, index, error, input_error, allowed, growth };
        if error > allowed && walked.first.is_none() {
            walked.first = Some(step);
        }
        walked.growths.push(step);
    }
    walked.growths.retain(|step| step.error > LAST_BIT);
    walked.growths.sort_by(|a, b| b.growth.total_cmp(&a.growth));
    walked.growths.truncate(3);
    walked
}

/// What a node was given; `None` where nothing is known of it.
fn source<'a>(pairs: &Pairs<'a>, errors: &[Option<f64>], input: GraphInput) -> Option<Source<'a>> {
    match input {
        GraphInput::Node(index) => {
            let (_, reference) = pairs.nodes.get(index as usize)?;
            let error = (*errors.get(index as usize)?)?;
            Some(Source { error, tensor: reference.map(|node| &node.result) })
        }
        GraphInput::Leaf(index) => {
            let (ours, reference) = pairs.leaves.get(index as usize)?;
            let error = reference.and_then(|reference| nmse(ours, reference));
            // Weights are not compared here: one that differs makes its node differ.
            Some(Source { error: error.unwrap_or(0.0), tensor: *reference })
        }
    }
}

fn given(pairs: &Pairs<'_>) -> Vec<Given> {
    let differs = |(ours, reference): &(&GraphTensor, Option<&GraphTensor>)| {
        let nmse = nmse(ours, (*reference)?)?;
        (nmse > LAST_BIT).then(|| Given { tensor: ours.tensor.clone(), nmse })
    };
    let mut given: Vec<Given> = pairs.leaves.iter().filter_map(differs).collect();
    given.sort_by(|a, b| b.nmse.total_cmp(&a.nmse));
    given
}
