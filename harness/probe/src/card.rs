//! Who answers.

use std::env::consts::ARCH;

use wire::{Capability, Card, Device, DeviceKind, TemplateEngine};

use crate::{
    engine::{cpu_only, raw},
    os::system_version,
};

/// The backend row that this probe was built as, from `LLAMA_CONFORMANCE_BACKEND` at build time.
pub const BACKEND: &str = match option_env!("LLAMA_CONFORMANCE_BACKEND") {
    Some(backend) => backend,
    None => "cpu",
};

/// The card of a probe that stands for `backend`; a [`crate::Probe`] adds its engines.
pub fn card(backend: &str) -> Card {
    let devices = raw::devices();
    Card {
        backend: backend.to_owned(),
        os: system_version(),
        arch: ARCH.to_owned(),
        cpu_features: raw::cpu_features(),
        llama_version: raw::llama_version(),
        llama_build: option_env!("PROBE_LLAMA_BUILD").and_then(|number| number.parse().ok()),
        bindings: env!("PROBE_BINDINGS").to_owned(),
        capabilities: capabilities(backend, &devices, &raw::cpu_features()),
        devices,
        engines: Vec::new(),
        template_engines: template_engines(),
        wrapper: concat!("probe ", env!("CARGO_PKG_VERSION")).to_owned(),
        fault: None,
    }
}

fn template_engines() -> Vec<TemplateEngine> {
    let mut all = vec![TemplateEngine::Builtin, TemplateEngine::Minijinja];
    all.extend(cfg!(feature = "jinja").then_some(TemplateEngine::Jinja));
    all
}

fn capabilities(backend: &str, devices: &[Device], cpu_features: &str) -> Vec<Capability> {
    let mut all = vec![
        Capability::Render,
        Capability::Tokenize,
        Capability::Generate,
        Capability::Converse,
        Capability::Score,
        Capability::Load,
        Capability::Inspect,
        Capability::Stream,
        Capability::Trace,
    ];
    let is_gpu = |device: &Device| matches!(device.kind, DeviceKind::Gpu | DeviceKind::IntegratedGpu);
    let offloads = !cpu_only(backend) && devices.iter().any(is_gpu);
    all.extend(offloads.then_some(Capability::Gpu));
    // A GPU's driver reserves address space of its own, so a limit says nothing of the model there; and weights that
    // go to the GPU are not repacked.
    all.extend((cfg!(target_os = "linux") && !offloads).then_some(Capability::AddressSpaceLimit));
    all.extend((repacks(cpu_features) && !offloads).then_some(Capability::WeightRepacking));
    all
}

/// ggml repacks 4-bit weights where it was compiled to, and the processor has the instructions for it.
fn repacks(cpu_features: &str) -> bool {
    let has = |feature: &str| cpu_features.contains(&format!("{feature} = 1"));
    has("REPACK") && ["AVX2", "DOTPROD", "MATMUL_INT8"].iter().any(|feature| has(feature))
}
