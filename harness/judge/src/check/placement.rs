//! Where an answer was computed, held against where it should have been. A log can say what it likes: the nodes count.

use wire::{Capability, Card, DeviceKind, EngineKind, Node, Observation, Request};

use crate::finding::{Code, Finding};
use crate::verdict::Placement;

/// The operators that are most of the work: weights times activations.
const PRODUCTS: [&str; 2] = ["MUL_MAT", "MUL_MAT_ID"];

/// What is wrong with the place where `observation` was computed by the subject of `card`.
///
/// A subject that stands for the processor alone must show no node on anything else. One that stands for a GPU must
/// show its matrix products there: all layers were asked for, or some, and that the processor did the work is a
/// failure of the set-up, whatever the log says. Single operators may run on the processor; they are reported, and no
/// finding.
pub fn placement(card: &Card, request: &Request, observation: &Observation) -> Option<Finding> {
    // The safe engine cannot see nodes.
    if request.config.engine != EngineKind::Raw {
        return None;
    }
    let is_gpu = |node: &&Node| on_gpu(card, node);
    if !card.capabilities.contains(&Capability::Gpu) {
        let node = observation.nodes.iter().find(is_gpu)?;
        let message = format!(
            "{} stands for the processor alone, and {} ran on {}; {}",
            card.backend,
            node.op,
            node.backend,
            seen(observation)
        );
        return Some(Finding::new(Code::GpuUsed, message));
    }
    let computed = observation.turns.iter().flat_map(|turn| &turn.decode_calls).any(|call| call.code == 0);
    if observation.nodes.is_empty() {
        let unseen = "tokens were decoded, and no node of a graph was seen: where, nobody can say";
        return computed.then(|| Finding::new(Code::ObservationIncomplete, unseen));
    }
    let layers = request.config.load.gpu_layers;
    let products = observation.nodes.iter().filter(|node| PRODUCTS.contains(&node.op.as_str()));
    let (ours, all) = products.fold((0, 0), |(gpu, all), node| {
        (gpu + if on_gpu(card, node) { node.count } else { 0 }, all + node.count)
    });
    let enough = match layers {
        Some(0) => true,
        None | Some(..0) => 2 * ours >= all,
        Some(_) => ours > 0,
    };
    (all > 0 && !enough).then(|| {
        let message = format!(
            "{ours} of {all} matrix products ran on a GPU, and layers were to be there; {}",
            seen(observation)
        );
        Finding::new(Code::GpuNotUsed, message)
    })
}

fn on_gpu(card: &Card, node: &Node) -> bool {
    let kind = card.devices.iter().find(|device| device.name == node.backend).map(|device| device.kind);
    match kind {
        Some(kind) => matches!(kind, DeviceKind::Gpu | DeviceKind::IntegratedGpu),
        // A buffer type of no registered device; memory that the processor can read is called CPU.
        None => !node.backend.starts_with("CPU"),
    }
}

fn seen(observation: &Observation) -> String {
    Placement::of(&observation.nodes).map(|placement| placement.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wire::Ending;

    use super::*;

    /// `gpu`: the subject stands for a GPU; `nodes`: operator, device, count.
    fn check(gpu: bool, layers: Option<i32>, nodes: &[(&str, &str, u32)]) -> Option<(Code, String)> {
        let card: Card = serde_json::from_value(json!({
            "backend": if gpu { "vulkan" } else { "cpu" },
            "devices": [
                {"name": "CPU", "description": "c", "kind": "cpu"},
                {"name": "Vulkan0", "description": "g", "kind": "gpu"}
            ],
            "os": "o", "arch": "a", "cpu_features": "", "llama_version": "1", "bindings": "b",
            "capabilities": if gpu { vec!["gpu"] } else { vec![] },
            "engines": [], "template_engines": [], "wrapper": "w"
        }))
        .unwrap();
        let request: Request = serde_json::from_value(json!({
            "id": 1, "model": null, "config": {"load": {"gpu_layers": layers}}, "stimulus": {"load": {}}
        }))
        .unwrap();
        let mut observation = Observation::ended(Ending::Completed);
        let node = |&(op, backend, count): &(&str, &str, u32)| Node {
            op: op.into(),
            backend: backend.into(),
            count,
        };
        observation.nodes = nodes.iter().map(node).collect();
        placement(&card, &request, &observation).map(|finding| (finding.code, finding.message))
    }

    #[test]
    fn the_processor_alone_is_proved() {
        assert_eq!(check(false, None, &[("MUL_MAT", "CPU", 4), ("ADD", "CPU", 2)]), None);
        let (code, message) = check(false, None, &[("ADD", "CPU", 2), ("MUL_MAT", "Vulkan0", 1)]).unwrap();
        assert_eq!(code, Code::GpuUsed);
        assert_eq!(
            message,
            "cpu stands for the processor alone, and MUL_MAT ran on Vulkan0; 2 of 3 nodes on CPU; MUL_MAT on Vulkan0"
        );
        assert!(check(false, None, &[("ADD", "Vulkan9", 1)]).is_some(), "a device that is not on the card");
    }

    #[test]
    fn a_gpu_has_to_do_the_work() {
        let mostly = [("GET_ROWS", "CPU", 90), ("MUL_MAT", "CPU", 1), ("MUL_MAT", "Vulkan0", 9)];
        let hardly = [("ADD", "Vulkan0", 90), ("MUL_MAT", "CPU", 9), ("MUL_MAT_ID", "Vulkan0", 1)];
        assert_eq!(check(true, None, &mostly), None);
        assert_eq!(check(true, Some(-1), &mostly), None);
        for layers in [None, Some(-1)] {
            let (code, message) = check(true, layers, &hardly).unwrap();
            assert_eq!(code, Code::GpuNotUsed);
            assert_eq!(
                message,
                "1 of 10 matrix products ran on a GPU, and layers were to be there; 91 of 100 nodes on Vulkan0; \
                 MUL_MAT on CPU"
            );
        }
    }

    #[test]
    fn some_layers_are_some_and_none_are_none() {
        let hardly = [("MUL_MAT", "CPU", 9), ("MUL_MAT", "Vulkan0", 1)];
        assert_eq!(check(true, Some(1), &hardly), None);
        assert_eq!(check(true, Some(1), &hardly[..1]).unwrap().0, Code::GpuNotUsed);
        assert_eq!(check(true, Some(0), &hardly[..1]), None);
    }
}
