//! The probe with llama.cpp behind the border.

use probe::Probe;
use wire::{Card, Observation, Request};

use crate::options::{Devices, Options};
use crate::subject::{Make, Subject};

/// A name under which the probe uses no device but the processor.
const PROCESSOR: &str = "cpu";

/// Makes probes that stand for what `options` say.
pub(crate) fn maker(options: Options) -> Make {
    Box::new(move || {
        // ggml's own backtrace starts a debugger, which a phone has not.
        let name = if options.devices == Devices::None { PROCESSOR } else { options.backend.as_str() };
        let card = Card { backend: options.backend.clone(), ..probe::card(name) };
        let probe = Probe::new(card, probe::engines(name));
        Ok(Box::new(Probed { probe, gpu_layers: options.gpu_layers }))
    })
}

struct Probed {
    probe: Probe,
    gpu_layers: Option<i32>,
}

impl Subject for Probed {
    fn card(&self) -> &Card {
        self.probe.card()
    }

    fn observe(&mut self, request: &Request) -> Observation {
        let mut request = request.clone();
        request.config.load.gpu_layers = request.config.load.gpu_layers.or(self.gpu_layers);
        self.probe.observe(&request)
    }
}
