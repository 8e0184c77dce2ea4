//! The nodes of two graphs that are the same node.

use std::collections::HashMap;

use wire::{Graph, GraphNode, GraphTensor, TensorName};

/// One node, as both computed it.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// As the subject did.
    pub ours: &'a GraphNode,
    /// As the reference did.
    pub reference: &'a GraphNode,
}

/// Two graphs, paired by the nodes' names. Their order may differ: backends sort independent nodes anew.
#[derive(Clone, Debug)]
pub struct Pairs<'a> {
    /// For each of our nodes, in the order of computing: its counterpart.
    pub nodes: Vec<(&'a GraphNode, Option<&'a GraphNode>)>,
    /// For each of our leaves: its counterpart.
    pub leaves: Vec<(&'a GraphTensor, Option<&'a GraphTensor>)>,
    /// Nodes that only the reference has.
    pub only_reference: Vec<&'a TensorName>,
}

impl Pairs<'_> {
    /// Nodes that only the subject has.
    pub fn only_ours(&self) -> Vec<&TensorName> {
        let alone = self.nodes.iter().filter(|(_, reference)| reference.is_none());
        alone.map(|(ours, _)| &ours.result.tensor).collect()
    }
}

/// Pairs the nodes and leaves of two graphs.
pub fn pairs<'a>(ours: &'a Graph, reference: &'a Graph) -> Pairs<'a> {
    let mut nodes: HashMap<&TensorName, &GraphNode> =
        reference.nodes.iter().map(|node| (&node.result.tensor, node)).collect();
    let leaves: HashMap<&TensorName, &GraphTensor> =
        reference.leaves.iter().map(|leaf| (&leaf.tensor, leaf)).collect();
    let paired = ours.nodes.iter().map(|node| (node, nodes.remove(&node.result.tensor))).collect();
    let mut only_reference: Vec<&TensorName> = nodes.into_keys().collect();
    only_reference.sort();
    Pairs {
        nodes: paired,
        leaves: ours.leaves.iter().map(|leaf| (leaf, leaves.get(&leaf.tensor).copied())).collect(),
        only_reference,
    }
}
