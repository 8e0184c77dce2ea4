//! How a session is opened.

use serde::{Deserialize, Serialize};

/// What `conformance_open` is told, as JSON. Everything may be left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// What the subject is called on its card and in reports.
    pub backend: String,
    /// Which of ggml's devices a model may use.
    pub devices: Devices,
    /// Layers to offload wherever a request names no number; −1 means all. Left out: what llama.cpp does by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpu_layers: Option<i32>,
}

impl Default for Options {
    fn default() -> Self {
        Self { backend: "ios-device".to_owned(), devices: Devices::All, gpu_layers: None }
    }
}

/// Which of ggml's devices a model may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Devices {
    /// Whatever is registered.
    #[default]
    All,
    /// An empty device list and no `op_offload`: the processor alone.
    None,
}
