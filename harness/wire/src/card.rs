//! Who answers: a subject's description of itself.

use serde::{Deserialize, Serialize};

use crate::{EngineKind, TemplateEngine};

/// What a probe says of itself before the first request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// The backend row it was built as, for example `cpu-baseline`.
    pub backend: String,
    /// The devices that ggml registered.
    pub devices: Vec<Device>,
    /// Operating system and version.
    pub os: String,
    /// Processor architecture, as Rust names it.
    pub arch: String,
    /// `llama_print_system_info`: the CPU features that were compiled in.
    pub cpu_features: String,
    /// Version of llama.cpp, as it says itself.
    pub llama_version: String,
    /// Its build number, `11434` of b11434, where whoever built the probe knew it. The version alone does not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llama_build: Option<u32>,
    /// Version of the crate whose llama.cpp was built, for example `llama-cpp-sys-2 0.1.161`.
    pub bindings: String,
    /// What can be asked of it.
    pub capabilities: Vec<Capability>,
    /// Engines that it has.
    pub engines: Vec<EngineKind>,
    /// Template engines that it has.
    pub template_engines: Vec<TemplateEngine>,
    /// The reference wrapper that turns llama.cpp into a chat: its name and version.
    pub wrapper: String,
    /// The fault that is switched on, if any; goldens refuse such a subject.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

impl Card {
    /// Which llama.cpp it is, as people call it: `b11434`, else its version.
    pub fn llama(&self) -> String {
        self.llama_build.map_or_else(|| self.llama_version.clone(), |build| format!("b{build}"))
    }
}

/// A ggml device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Device {
    /// ggml's name, for example `CPU` or `Vulkan0`.
    pub name: String,
    /// What it is.
    pub description: String,
    /// Its kind.
    pub kind: DeviceKind,
}

/// `ggml_backend_dev_type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeviceKind {
    /// The host's processor.
    Cpu,
    /// A GPU with its own memory.
    Gpu,
    /// A GPU that shares the host's memory.
    IntegratedGpu,
    /// An accelerator beside the CPU, for example BLAS.
    Accelerator,
    /// Anything newer than this list.
    Other,
}

/// Something that not every subject can do. What is missing is a reason to skip, never to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Capability {
    /// Renders chat templates.
    Render,
    /// Tokenises.
    Tokenize,
    /// Generates.
    Generate,
    /// Holds a conversation in one context.
    Converse,
    /// Shows distributions.
    Score,
    /// Loads under limits.
    Load,
    /// Describes the model file.
    Inspect,
    /// Runs its stop and thinking parsers on a scripted stream.
    Stream,
    /// Honours [`crate::Limits::address_space`].
    AddressSpaceLimit,
    /// Copies quantised weights into a second buffer (`CPU_REPACK`) on loading.
    WeightRepacking,
    /// Shows what the nodes of a graph computed: [`crate::Request::watch`].
    Trace,
    /// Stands for a GPU: layers go there unless a request says otherwise.
    Gpu,
}

impl Capability {
    /// The name used in case files and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Render => "render",
            Self::Tokenize => "tokenize",
            Self::Generate => "generate",
            Self::Converse => "converse",
            Self::Score => "score",
            Self::Load => "load",
            Self::Inspect => "inspect",
            Self::Stream => "stream",
            Self::AddressSpaceLimit => "address-space-limit",
            Self::WeightRepacking => "weight-repacking",
            Self::Trace => "trace",
            Self::Gpu => "gpu",
        }
    }
}
