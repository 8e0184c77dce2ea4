//! Where an answer was computed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};
use wire::Node;

/// How many nodes of the graphs ran on which device. A node is one operation that computes something; views, reshapes
/// and the like are none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placement {
    /// ggml's name of the device, and nodes.
    pub nodes: BTreeMap<String, u32>,
    /// The operators that ran elsewhere than on the device with the most nodes, by device.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub elsewhere: BTreeMap<String, BTreeSet<String>>,
}

impl Placement {
    /// Sums up `nodes`; `None` where there are none.
    pub fn of(nodes: &[Node]) -> Option<Self> {
        let mut placement = Self::default();
        for node in nodes {
            *placement.nodes.entry(node.backend.clone()).or_default() += node.count;
        }
        let main = placement.main()?.0.to_owned();
        for node in nodes.iter().filter(|node| node.backend != main) {
            placement.elsewhere.entry(node.backend.clone()).or_default().insert(node.op.clone());
        }
        Some(placement)
    }

    /// Adds what another answer of the same subject was computed on.
    pub fn add(&mut self, other: &Self) {
        for (device, count) in &other.nodes {
            *self.nodes.entry(device.clone()).or_default() += count;
        }
        for (device, operators) in &other.elsewhere {
            self.elsewhere.entry(device.clone()).or_default().extend(operators.iter().cloned());
        }
        if let Some(main) = self.main().map(|(name, _)| name.to_owned()) {
            self.elsewhere.remove(&main);
        }
    }

    /// The device with the most nodes.
    fn main(&self) -> Option<(&str, u32)> {
        self.nodes.iter().max_by_key(|(_, count)| **count).map(|(name, count)| (name.as_str(), *count))
    }
}

/// `412 of 430 nodes on Vulkan0; GET_ROWS, SOFT_MAX on CPU`
impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((name, count)) = self.main() else { return Ok(()) };
        let all: u32 = self.nodes.values().sum();
        if count == all {
            return write!(f, "{all} nodes, all on {name}");
        }
        write!(f, "{count} of {all} nodes on {name}")?;
        for (device, operators) in &self.elsewhere {
            let operators: Vec<&str> = operators.iter().map(String::as_str).collect();
            write!(f, "; {} on {device}", operators.join(", "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placement(nodes: &[(&str, &str, u32)]) -> Placement {
        let node = |&(op, backend, count): &(&str, &str, u32)| Node {
            op: op.into(),
            backend: backend.into(),
            count,
        };
        Placement::of(&nodes.iter().map(node).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn reads_like_a_sentence() {
        let mixed =
            placement(&[("GET_ROWS", "CPU", 2), ("MUL_MAT", "Vulkan0", 412), ("SOFT_MAX", "CPU", 16)]);
        assert_eq!(mixed.to_string(), "412 of 430 nodes on Vulkan0; GET_ROWS, SOFT_MAX on CPU");
        assert_eq!(placement(&[("ADD", "CPU", 7)]).to_string(), "7 nodes, all on CPU");
        assert_eq!(Placement::of(&[]), None);
    }

    #[test]
    fn sums_name_what_is_elsewhere_than_in_the_end_most_is() {
        let mut sum = placement(&[("ADD", "CPU", 3), ("MUL_MAT", "Vulkan0", 1)]);
        sum.add(&placement(&[("MUL_MAT", "Vulkan0", 90), ("GET_ROWS", "CPU", 6)]));
        assert_eq!(sum.to_string(), "91 of 100 nodes on Vulkan0; GET_ROWS on CPU");
    }
}
