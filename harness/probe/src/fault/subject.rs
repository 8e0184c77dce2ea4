//! A probe under a fault.

use wire::{Card, Observation, Request};

use super::{Fault, engine::FaultyEngine, meter::Meter, request::misread, text};
use crate::{Observe, Probe, engine::Engine};

/// A broken probe. Its card names the fault, and its observations say what the fault did to the logits.
pub struct FaultyProbe {
    probe: Probe,
    fault: Fault,
    meter: Meter,
}

impl FaultyProbe {
    /// A probe with nothing loaded, under `fault`.
    pub fn new(card: Card, engines: Vec<Box<dyn Engine>>, fault: Fault) -> Self {
        let meter = Meter::default();
        let faulty =
            |engine| -> Box<dyn Engine> { Box::new(FaultyEngine::new(engine, fault, meter.clone())) };
        let engines = engines.into_iter().map(faulty).collect();
        Self { probe: Probe::new(Card { fault: Some(fault.name()), ..card }, engines), fault, meter }
    }

    /// A wrapper that looks for stop strings in each token alone goes on where none holds a whole one.
    fn without_stop_strings(&mut self, request: &Request) -> Option<Observation> {
        let mut request = request.clone();
        let stops = std::mem::take(text::stop_strings(&mut request.stimulus)?);
        let observation = self.probe.observe(&request);
        (!text::holds_one(&observation, &stops)).then_some(observation)
    }
}

impl Observe for FaultyProbe {
    fn card(&self) -> &Card {
        self.probe.card()
    }

    fn observe(&mut self, request: &Request) -> Observation {
        let request = misread(self.fault, request);
        let missed = match self.fault {
            Fault::StopStringMissed => self.without_stop_strings(&request),
            _ => None,
        };
        let mut observation = missed.unwrap_or_else(|| self.probe.observe(&request));
        text::retell(self.fault, &mut observation);
        observation.fault_effect = self.meter.take();
        if let Some(effect) = &observation.fault_effect {
            eprintln!(
                "fault {}: NMSE {:.3e} at worst over {} positions, {} logits not finite",
                self.fault.name(),
                effect.nmse,
                effect.positions,
                effect.not_finite
            );
        }
        observation
    }
}
