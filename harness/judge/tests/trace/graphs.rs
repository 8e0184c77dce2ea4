//! Graphs made by hand.

use wire::{Digester, Graph, GraphInput, GraphNode, GraphTensor, TensorData, TensorName, Values};

/// Values in a tensor.
pub(crate) const LENGTH: usize = 512;

/// A graph that grows node by node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Made {
    pub(crate) graph: Graph,
    values: Vec<(TensorName, Vec<f32>)>,
}

impl Made {
    /// A leaf: an input or a memory, or a weight, whose values only [`Made::data`] shows.
    pub(crate) fn leaf(&mut self, name: &str, kind: &str, values: &[f32], weight: bool) -> GraphInput {
        let mut leaf = self.tensor(name, "NONE", kind, values);
        leaf.weight = weight;
        leaf.digest = leaf.digest.filter(|_| !weight);
        self.graph.leaves.push(leaf);
        GraphInput::Leaf(self.graph.leaves.len() as u32 - 1)
    }

    /// A node.
    pub(crate) fn node(&mut self, name: &str, op: &str, inputs: &[GraphInput], values: &[f32]) -> GraphInput {
        let kind = if op == "ARGSORT" { "i32" } else { "f32" };
        let result = self.tensor(name, op, kind, values);
        let (backend, params, inputs) = ("CPU".to_owned(), Vec::new(), inputs.to_vec());
        self.graph.nodes.push(GraphNode { result, backend, params, inputs });
        GraphInput::Node(self.graph.nodes.len() as u32 - 1)
    }

    /// The numbers of the tensors called `names`.
    pub(crate) fn data(&self, wanted: &[wire::Want]) -> Graph {
        let data = wanted.iter().filter_map(|want| {
            let (tensor, values) = self.values.iter().find(|(name, _)| *name == want.tensor)?;
            let mut digester = Digester::default();
            digester.add(values);
            Some(TensorData {
                tensor: tensor.clone(),
                digest: digester.finish(),
                count: values.len() as u64,
                blocks: Vec::new(),
                from: 0,
                values: Values(values.clone()),
            })
        });
        Graph { data: data.collect(), ..Graph::default() }
    }

    fn tensor(&mut self, name: &str, op: &str, kind: &str, values: &[f32]) -> GraphTensor {
        let tensor = TensorName { name: name.to_owned(), op: op.to_owned(), nth: 0 };
        self.values.push((tensor.clone(), values.to_vec()));
        let mut digester = Digester::default();
        digester.add(values);
        let shape = [values.len() as i64, 1, 1, 1];
        GraphTensor { tensor, kind: kind.to_owned(), shape, digest: Some(digester.finish()), weight: false }
    }
}

/// Values that look random, of mean square about 1.
pub(crate) fn values(seed: u32) -> Vec<f32> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(12345);
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32 * 3.46 - 1.73
    };
    (0..LENGTH).map(|_| next()).collect()
}

/// `values` with an error of about `nmse`, as `seed` has it.
pub(crate) fn wrong(values: &[f32], nmse: f64, seed: u32) -> Vec<f32> {
    let error = self::values(seed.wrapping_add(77));
    values.iter().zip(error).map(|(value, error)| value + error * nmse.sqrt() as f32).collect()
}
