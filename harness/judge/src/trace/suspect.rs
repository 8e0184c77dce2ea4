//! The node to blame, with everything that is known of it.

use serde::{Deserialize, Serialize};
use wire::{Graph, GraphInput, GraphTensor, TensorData, TensorName, Want};

use super::error::{nmse, of_digests};
use super::parameters::{Parameter, differing};
use super::worst::worst;
use super::{Pairs, Step, WorstValue};

/// Why a node's result is another one, as far as can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The operator was given other parameters.
    Parameters,
    /// The result or an input has another element type.
    Types,
    /// A weight is not the reference's.
    Weight,
    /// From the same inputs the operator computes something else.
    Operator,
}

/// A word in both runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Both {
    /// The subject's.
    pub ours: String,
    /// The reference's.
    pub reference: String,
}

impl Both {
    pub(super) fn differ(&self) -> bool {
        self.ours != self.reference
    }
}

/// What a node was computed from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TracedInput {
    /// Which tensor.
    pub tensor: TensorName,
    /// Its element type.
    pub kind: Both,
    /// Its four extents, the fastest first.
    pub shape: [i64; 4],
    /// How far it is from the reference's; null where it is not finite, or could not be read.
    pub nmse: Option<f64>,
    /// Whether it is a weight of the model.
    pub weight: bool,
}

/// A node that is wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suspect {
    /// The layer of the model, where the names say.
    pub layer: Option<u32>,
    /// Its tensor and operator.
    pub tensor: TensorName,
    /// Element type of the result.
    pub kind: Both,
    /// The result's four extents, the fastest first.
    pub shape: [i64; 4],
    /// Where it was computed.
    pub backend: Both,
    /// How far the result is from the reference's; null where it is not finite.
    pub nmse: Option<f64>,
    /// How far it may be: what backends may differ by, and what its inputs explain.
    pub allowed: f64,
    /// Why.
    pub cause: Cause,
    /// Parameters of the operator that are not the same.
    pub parameters: Vec<Parameter>,
    /// What it was computed from.
    pub inputs: Vec<TracedInput>,
    /// The values that are furthest from the reference's, the worst first.
    pub worst: Vec<WorstValue>,
}

/// The tensors to fetch for a step: the node's result first, then its inputs.
pub(super) fn wants(step: &Step<'_>, graph: &Graph) -> Vec<Want> {
    let node = step.pair.ours;
    let names = node.inputs.iter().filter_map(|input| Some(tensor(graph, *input)?.tensor.clone()));
    let mut wants: Vec<Want> = Vec::new();
    for name in std::iter::once(node.result.tensor.clone()).chain(names) {
        if wants.iter().all(|want| want.tensor != name) {
            wants.push(Want { tensor: name, from: 0 });
        }
    }
    wants
}

impl Suspect {
    /// The node of `step`, with the numbers that were fetched for it.
    pub(super) fn new(
        step: &Step<'_>,
        pairs: &Pairs<'_>,
        ours: &[TensorData],
        theirs: &[TensorData],
    ) -> Self {
        let (mine, reference) = (step.pair.ours, step.pair.reference);
        let name = &mine.result.tensor;
        let found = |data: &[TensorData]| data.iter().find(|data| data.tensor == *name).cloned();
        let worst = found(ours).zip(found(theirs));
        let inputs = inputs(step, pairs, ours, theirs);
        let parameters = differing(&name.op, &mine.params, &reference.params);
        let kind = Both { ours: mine.result.kind.clone(), reference: reference.result.kind.clone() };
        Self {
            layer: layer(&name.name).or_else(|| inputs.iter().find_map(|input| layer(&input.tensor.name))),
            tensor: name.clone(),
            shape: mine.result.shape,
            backend: Both { ours: mine.backend.clone(), reference: reference.backend.clone() },
            nmse: finite(step.error),
            allowed: step.allowed,
            cause: cause(&parameters, &kind, &inputs),
            kind,
            parameters,
            inputs,
            worst: worst.map(|(a, b)| self::worst(&a, &b, mine.result.shape)).unwrap_or_default(),
        }
    }
}

fn cause(parameters: &[Parameter], kind: &Both, inputs: &[TracedInput]) -> Cause {
    let differs = |input: &TracedInput| input.weight && input.nmse.is_some_and(|nmse| nmse > 0.0);
    if !parameters.is_empty() {
        Cause::Parameters
    } else if kind.differ() || inputs.iter().any(|input| input.kind.differ()) {
        Cause::Types
    } else if inputs.iter().any(differs) {
        Cause::Weight
    } else {
        Cause::Operator
    }
}

fn inputs(
    step: &Step<'_>,
    pairs: &Pairs<'_>,
    ours: &[TensorData],
    theirs: &[TensorData],
) -> Vec<TracedInput> {
    let input = |input: &GraphInput| {
        let (mine, reference) = match *input {
            GraphInput::Node(index) => {
                let (mine, reference) = pairs.nodes.get(index as usize)?;
                (&mine.result, reference.map(|node| &node.result))
            }
            GraphInput::Leaf(index) => *pairs.leaves.get(index as usize)?,
        };
        let reference = reference.unwrap_or(mine);
        let found = |data: &[TensorData]| data.iter().find(|data| data.tensor == mine.tensor).cloned();
        let fetched = found(ours).zip(found(theirs)).map(|(a, b)| of_digests(&a.digest, &b.digest));
        Some(TracedInput {
            tensor: mine.tensor.clone(),
            kind: Both { ours: mine.kind.clone(), reference: reference.kind.clone() },
            shape: mine.shape,
            nmse: fetched.or_else(|| nmse(mine, reference)).and_then(finite),
            weight: mine.weight,
        })
    };
    step.pair.ours.inputs.iter().filter_map(input).collect()
}

fn tensor(graph: &Graph, input: GraphInput) -> Option<&GraphTensor> {
    match input {
        GraphInput::Node(index) => graph.nodes.get(index as usize).map(|node| &node.result),
        GraphInput::Leaf(index) => graph.leaves.get(index as usize),
    }
}

/// JSON has no infinity.
pub(super) fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// The layer that llama.cpp writes into a name: `Qcur-3`, `Qcur-3 (view)`, `cache_k_l3`, `blk.3.attn_q.weight`.
fn layer(name: &str) -> Option<u32> {
    let word = name.split(' ').next().unwrap_or_default();
    if let Some(rest) = word.strip_prefix("blk.") {
        return rest.split('.').next()?.parse().ok();
    }
    let number = |separator: &str| word.rsplit_once(separator)?.1.parse().ok();
    number("-").or_else(|| number("_l"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_the_layer() {
        for (name, expected) in [
            ("Qcur-3", Some(3)),
            ("Qcur-12 (view) (permuted)", Some(12)),
            ("cache_k_l7 (view)", Some(7)),
            ("blk.2.attn_q.weight", Some(2)),
            ("result_output", None),
            ("leaf_5", None),
        ] {
            assert_eq!(layer(name), expected, "{name}");
        }
    }
}
