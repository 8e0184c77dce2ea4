//! Cards.

use proptest::prelude::*;
use wire::{Capability, Card, Device, DeviceKind, EngineKind, TemplateEngine};

use super::basic::{one_of, some, text};

/// A card.
pub(crate) fn card() -> impl Strategy<Value = Card> {
    let texts = [text(), text(), text(), text(), text(), text(), text()];
    (
        texts,
        some(device()),
        some(one_of(&[
            Capability::Render,
            Capability::Stream,
            Capability::AddressSpaceLimit,
            Capability::Trace,
        ])),
        some(one_of(&[EngineKind::Raw, EngineKind::Safe])),
        some(one_of(&[TemplateEngine::Builtin, TemplateEngine::Minijinja])),
        proptest::option::of(text()),
        proptest::option::of(any::<u32>()),
    )
        .prop_map(|(texts, devices, capabilities, engines, template_engines, fault, llama_build)| {
            let [backend, os, arch, cpu_features, llama_version, bindings, wrapper] = texts;
            Card {
                backend,
                devices,
                os,
                arch,
                cpu_features,
                llama_version,
                llama_build,
                bindings,
                capabilities,
                engines,
                template_engines,
                wrapper,
                fault,
            }
        })
}

fn device() -> impl Strategy<Value = Device> {
    use DeviceKind::{Accelerator, Cpu, Gpu, IntegratedGpu, Other};
    (text(), text(), one_of(&[Cpu, Gpu, IntegratedGpu, Accelerator, Other]))
        .prop_map(|(name, description, kind)| Device { name, description, kind })
}
