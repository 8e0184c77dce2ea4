//! Looks at the nodes of one call, one by one.

use std::collections::HashMap;

use llama_cpp_sys_2 as sys;
use wire::{Graph, GraphInput, GraphNode, GraphTensor, TensorName, Want};

use super::{nodes::backend, tensor};

type Address = *const sys::ggml_tensor;

/// Notes what one call computes: a digest of every node, or the numbers of some.
#[derive(Debug, Default)]
pub(super) struct Watcher {
    wanted: Vec<Want>,
    graph: Graph,
    /// How many tensors of a name and an operator there were.
    seen: HashMap<(String, String), u32>,
    /// The name of the node that was asked about last.
    current: Option<TensorName>,
    /// Of the graph that is being computed (a call can compute several): nodes and leaves, by address.
    nodes: HashMap<Address, u32>,
    leaves: HashMap<Address, u32>,
    /// The node that wrote last into somebody else's memory, by the address of that.
    writers: HashMap<Address, u32>,
    /// Nodes by name: ggml copies what crosses backends, and names the copy after the original.
    names: HashMap<String, u32>,
}

impl Watcher {
    /// A watcher that notes the numbers of `wanted`, or, where nothing is, a digest of everything.
    pub(super) fn new(wanted: &[Want]) -> Self {
        Self { wanted: wanted.to_vec(), ..Self::default() }
    }

    /// What was noted.
    pub(super) fn finish(self) -> Graph {
        self.graph
    }

    /// Notes what `node` will read and no node has computed, before it can be overwritten. A node that this call does
    /// not need is passed over, here and in [`Self::after`].
    ///
    /// # Safety
    /// `node` is about to be computed, and everything before it is.
    pub(super) unsafe fn before(&mut self, node: Address) {
        // SAFETY: as the caller says.
        if !unsafe { tensor::is_used(node) } {
            return;
        }
        if self.nodes.contains_key(&node) {
            // The same place again: another part of the batch has its turn.
            self.nodes.clear();
            self.leaves.clear();
            self.writers.clear();
        }
        // SAFETY: as the caller says; sources live as long as the node, unused ones are null.
        unsafe {
            for source in (*node).src {
                if !source.is_null() && (*source).op == sys::GGML_OP_NONE && (*source).view_src.is_null() {
                    self.leaf(source);
                }
            }
            self.current = Some(self.name(node));
        }
    }

    /// Notes what `node` computed.
    ///
    /// # Safety
    /// `node` was computed just now.
    pub(super) unsafe fn after(&mut self, node: Address) {
        let Some(name) = self.current.take() else { return };
        let index = self.graph.nodes.len() as u32;
        // SAFETY: as the caller says.
        unsafe {
            if self.wants_all() {
                let noted = self.node(node, name);
                self.names.insert(tensor::words(node).0, index);
                self.graph.nodes.push(noted);
            } else {
                self.data(node, &name);
            }
            self.nodes.insert(node, index);
            if tensor::computes(node) && !(*node).view_src.is_null() {
                self.writers.insert(tensor::root(node), index);
            }
        }
    }

    fn wants_all(&self) -> bool {
        self.wanted.is_empty()
    }

    unsafe fn leaf(&mut self, leaf: Address) {
        if self.leaves.contains_key(&leaf) || self.nodes.contains_key(&leaf) {
            return;
        }
        // SAFETY: the leaf lives and holds what it was given.
        unsafe {
            let name = self.name(leaf);
            self.leaves.insert(leaf, self.graph.leaves.len() as u32);
            if self.wants_all() {
                let weight = tensor::is_weight(leaf);
                let noted = self.tensor(leaf, name, !weight);
                self.graph.leaves.push(GraphTensor { weight, ..noted });
            } else {
                self.data(leaf, &name);
            }
        }
    }

    unsafe fn node(&self, node: Address, name: TensorName) -> GraphNode {
        // SAFETY: the node was computed.
        unsafe {
            let mut params = (*node).op_params.to_vec();
            params.truncate(params.iter().rposition(|param| *param != 0).map_or(0, |last| last + 1));
            let sources = (*node).src.into_iter().filter(|source| !source.is_null());
            GraphNode {
                result: self.tensor(node, name, true),
                backend: tensor::buffer_type(node).map_or_else(String::new, |place| backend(place)),
                params,
                inputs: sources.flat_map(|source| self.inputs(source)).collect(),
            }
        }
    }

    /// What a source stands for: a node, and who wrote into its memory since; or a leaf, if nobody did.
    unsafe fn inputs(&self, source: Address) -> Vec<GraphInput> {
        // SAFETY: the source lives.
        let writer = unsafe { self.writers.get(&tensor::root(source)) };
        let node = self.nodes.get(&source);
        let later = writer.filter(|writer| node.is_none_or(|node| *writer > node));
        let mut inputs: Vec<GraphInput> =
            node.into_iter().chain(later).map(|index| GraphInput::Node(*index)).collect();
        if inputs.is_empty() {
            // SAFETY: the source lives.
            let original = unsafe { self.original(source) }.map(GraphInput::Node);
            inputs.extend(original.or_else(|| self.leaves.get(&source).map(|leaf| GraphInput::Leaf(*leaf))));
        }
        inputs
    }

    /// The node that a copy is named after, as in `CUDA0#name#0`.
    unsafe fn original(&self, copy: Address) -> Option<u32> {
        // SAFETY: the copy lives.
        let (name, _) = unsafe { tensor::words(copy) };
        let (_, rest) = name.split_once('#')?;
        self.names.get(rest.rsplit_once('#')?.0).copied()
    }

    unsafe fn tensor(&self, tensor: Address, name: TensorName, digest: bool) -> GraphTensor {
        // SAFETY: the tensor lives and is computed.
        unsafe {
            GraphTensor {
                tensor: name,
                kind: tensor::kind(tensor),
                shape: (*tensor).ne,
                digest: if digest { tensor::digest(tensor) } else { None },
                weight: false,
            }
        }
    }

    unsafe fn data(&mut self, tensor: Address, name: &TensorName) {
        let Some(want) = self.wanted.iter().find(|want| want.tensor == *name) else { return };
        // SAFETY: the tensor lives and is computed.
        self.graph.data.extend(unsafe { tensor::data(tensor, name.clone(), want.from) });
    }

    /// The name of a tensor that is noted now.
    unsafe fn name(&mut self, tensor: Address) -> TensorName {
        // SAFETY: the tensor lives.
        let (name, op) = unsafe { tensor::words(tensor) };
        let name = given(name);
        let seen = self.seen.entry((name.clone(), op.clone())).or_default();
        *seen += 1;
        TensorName { name, op, nth: *seen - 1 }
    }
}

/// A name that somebody gave. ggml calls the others by their place in the graph, `node_24`, which is another one in
/// another llama.cpp: they are all `node`, and told apart by how many came before.
fn given(name: String) -> String {
    let place = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    match name.split_once('_') {
        Some((kind @ ("node" | "leaf"), rest)) if place(rest) => kind.to_owned(),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::given;

    #[test]
    fn places_in_the_graph_are_no_names() {
        for (name, expected) in [
            ("node_24", "node"),
            ("leaf_3", "leaf"),
            ("node_", "node_"),
            ("node_a1", "node_a1"),
            ("Qcur-0", "Qcur-0"),
        ] {
            assert_eq!(given(name.to_owned()), expected);
        }
    }
}
