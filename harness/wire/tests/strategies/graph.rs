//! Graphs and wishes to see them.

use proptest::{collection::vec, prelude::*};
use wire::{
    Digest, Digester, Graph, GraphInput, GraphNode, GraphTensor, TensorData, TensorName, Values, Want, Watch,
};

use super::basic::{some, text};

/// A wish.
pub(crate) fn watch() -> impl Strategy<Value = Watch> {
    let want = (name(), any::<u64>()).prop_map(|(tensor, from)| Want { tensor, from });
    (any::<u32>(), some(want)).prop_map(|(call, data)| Watch { call, data })
}

/// A graph.
pub(crate) fn graph() -> impl Strategy<Value = Graph> {
    (some(node()), some(tensor()), vec(data(), 0..2)).prop_map(|(nodes, leaves, data)| Graph {
        nodes,
        leaves,
        data,
    })
}

fn name() -> impl Strategy<Value = TensorName> {
    (text(), text(), any::<u32>()).prop_map(|(name, op, nth)| TensorName { name, op, nth })
}

fn values() -> impl Strategy<Value = Vec<f32>> {
    some(any::<u32>().prop_map(f32::from_bits))
}

fn digest() -> impl Strategy<Value = Digest> {
    values().prop_map(|values| {
        let mut digester = Digester::default();
        digester.add(&values);
        digester.finish()
    })
}

fn tensor() -> impl Strategy<Value = GraphTensor> {
    (name(), text(), any::<[i64; 4]>(), proptest::option::of(digest()), any::<bool>())
        .prop_map(|(tensor, kind, shape, digest, weight)| GraphTensor { tensor, kind, shape, digest, weight })
}

fn node() -> impl Strategy<Value = GraphNode> {
    let input = prop_oneof![any::<u32>().prop_map(GraphInput::Node), any::<u32>().prop_map(GraphInput::Leaf)];
    (tensor(), text(), some(any::<i32>()), some(input))
        .prop_map(|(result, backend, params, inputs)| GraphNode { result, backend, params, inputs })
}

fn data() -> impl Strategy<Value = TensorData> {
    (name(), digest(), any::<u64>(), some(0.0..9.0_f64), any::<u64>(), values()).prop_map(
        |(tensor, digest, count, blocks, from, values)| TensorData {
            tensor,
            digest,
            count,
            blocks,
            from,
            values: Values(values),
        },
    )
}
