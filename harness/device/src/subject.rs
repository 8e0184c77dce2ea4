//! The places where the app can run, as data.

use wire::{Capability, Card, EngineKind, TemplateEngine};

/// The name of a phone's subject.
pub const DEVICE: &str = "ios-device";

/// One way to run the app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phone {
    /// What it is called in reports.
    pub name: &'static str,
    /// What it shows.
    pub about: &'static str,
    /// Whether it runs in the simulator: then its answers prove the wiring, and say nothing about quality.
    pub simulator: bool,
    /// Whether Metal is compiled in.
    pub metal: bool,
    /// Whether a model may use the devices that ggml registers.
    pub devices: bool,
    /// Layers to offload; `None`: what llama.cpp does by itself, which is all.
    pub gpu_layers: Option<i32>,
}

impl Phone {
    /// The way called `name`.
    pub fn named(name: &str) -> Option<&'static Self> {
        PHONES.iter().find(|phone| phone.name == name)
    }

    /// What `conformance_open` is told; the app has it in `CONFORMANCE_OPTIONS`.
    pub fn options(&self) -> String {
        let mut options = serde_json::Map::new();
        options.insert("backend".into(), self.name.into());
        options.insert("devices".into(), if self.devices { "all" } else { "none" }.into());
        if let Some(layers) = self.gpu_layers {
            options.insert("gpu_layers".into(), layers.into());
        }
        serde_json::Value::Object(options).to_string()
    }

    /// The folder of the library that it needs: two slices of the simulator differ in Metal alone.
    pub const fn slice(&self) -> &'static str {
        match (self.simulator, self.metal) {
            (false, _) => "ios",
            (true, false) => "ios-sim",
            (true, true) => "ios-sim-metal",
        }
    }
}

/// A phone, and four settings of the simulator that are told apart since only two of them are sound.
pub const PHONES: &[Phone] = &[
    Phone {
        name: DEVICE,
        about: "a phone, with all layers on its GPU",
        simulator: false,
        metal: true,
        devices: true,
        gpu_layers: None,
    },
    Phone {
        name: "ios-device-cpu",
        about: "a phone's processor alone: an empty device list",
        simulator: false,
        metal: true,
        devices: false,
        gpu_layers: None,
    },
    Phone {
        name: "ios-sim-app",
        about: "the app in the simulator, Metal built out: sound",
        simulator: true,
        metal: false,
        devices: true,
        gpu_layers: None,
    },
    Phone {
        name: "ios-sim-no-devices",
        about: "Metal built in, an empty device list: sound",
        simulator: true,
        metal: true,
        devices: false,
        gpu_layers: None,
    },
    Phone {
        name: "ios-sim-layers-0",
        about: "Metal built in, 0 GPU layers: batches of 32 and more may still go to the GPU; `gpu-used` tells",
        simulator: true,
        metal: true,
        devices: true,
        gpu_layers: Some(0),
    },
    Phone {
        name: "ios-sim-metal",
        about: "Metal built in, all layers on it: initialises, emits tokens, and its logits mean nothing",
        simulator: true,
        metal: true,
        devices: true,
        gpu_layers: None,
    },
];

/// What a phone can be asked at most, for planning before it has said who it is. Its own card decides in the end: what
/// it cannot do is not asked there, and skipped when it is judged.
pub fn assumed_card(name: &str) -> Card {
    Card {
        backend: name.to_owned(),
        devices: Vec::new(),
        os: String::new(),
        arch: String::new(),
        cpu_features: String::new(),
        llama_version: String::new(),
        llama_build: None,
        bindings: String::new(),
        capabilities: vec![
            Capability::Render,
            Capability::Tokenize,
            Capability::Generate,
            Capability::Converse,
            Capability::Score,
            Capability::Load,
            Capability::Inspect,
            Capability::Stream,
            Capability::WeightRepacking,
            Capability::Gpu,
        ],
        engines: vec![EngineKind::Raw],
        template_engines: vec![TemplateEngine::Builtin, TemplateEngine::Minijinja],
        wrapper: String::new(),
        fault: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_simulators_four_settings_are_told_apart() {
        let options: Vec<String> = PHONES
            .iter()
            .filter(|phone| phone.simulator)
            .map(|p| format!("{} {}", p.slice(), p.options()))
            .collect();
        assert_eq!(
            options,
            [
                r#"ios-sim {"backend":"ios-sim-app","devices":"all"}"#,
                r#"ios-sim-metal {"backend":"ios-sim-no-devices","devices":"none"}"#,
                r#"ios-sim-metal {"backend":"ios-sim-layers-0","devices":"all","gpu_layers":0}"#,
                r#"ios-sim-metal {"backend":"ios-sim-metal","devices":"all"}"#,
            ]
        );
        assert_eq!(Phone::named("ios-device").unwrap().slice(), "ios");
    }

    #[test]
    fn names_are_unique() {
        for (index, phone) in PHONES.iter().enumerate() {
            assert!(PHONES[..index].iter().all(|other| other.name != phone.name), "{}", phone.name);
        }
    }
}
