//! One request, one observation.

use wire::{Card, Ending, Layer, Observation, Refusal, Request, Stimulus};

use super::{job::Job, resident::Residence};
use crate::{engine::Engine, log, refuse::unsupported};

/// Something that answers requests.
pub trait Observe {
    /// Who answers.
    fn card(&self) -> &Card;

    /// Answers one request.
    fn observe(&mut self, request: &Request) -> Observation;
}

/// A probe. It has no opinion: whatever happens is an observation.
pub struct Probe {
    card: Card,
    engines: Vec<Box<dyn Engine>>,
    residence: Residence,
}

impl Probe {
    /// A probe with nothing loaded. Its card's engines are those given.
    pub fn new(card: Card, engines: Vec<Box<dyn Engine>>) -> Self {
        let card = Card { engines: engines.iter().map(|engine| engine.kind()).collect(), ..card };
        Self { card, engines, residence: Residence::default() }
    }

    /// Who answers.
    pub const fn card(&self) -> &Card {
        &self.card
    }

    /// Answers one request.
    pub fn observe(&mut self, request: &Request) -> Observation {
        log::begin();
        let mut seen = Observation::ended(Ending::Completed);
        if let Err(refusal) = self.run(request, &mut seen) {
            seen.ending = Ending::Refused(refusal);
        }
        seen.loads = self.residence.loads;
        seen.timing = self.residence.take_timing();
        seen.nodes = self.residence.take_nodes();
        seen.graph = self.residence.take_graph();
        seen.log_tail = log::tail();
        seen
    }

    fn run(&mut self, request: &Request, seen: &mut Observation) -> Result<(), Refusal> {
        let kind = request.config.engine;
        let engine = self.engines.iter().find(|engine| engine.kind() == kind);
        let engine =
            engine.ok_or_else(|| unsupported(Layer::Load, format!("no engine {kind:?} in this probe")))?;
        let mut job = Job { engine: engine.as_ref(), residence: &mut self.residence, request, seen };
        match &request.stimulus {
            Stimulus::Render(chat) => job.render(chat),
            Stimulus::Tokenize(text) => job.tokenize(text),
            Stimulus::Generate(spec) => job.generate(spec),
            Stimulus::Converse(spec) => job.converse(spec),
            Stimulus::Score(spec) => job.score(spec),
            Stimulus::Load(spec) => job.load(spec),
            Stimulus::Inspect {} => job.inspect(),
            Stimulus::Stream(script) => job.stream(script),
        }
    }
}

impl Observe for Probe {
    fn card(&self) -> &Card {
        self.card()
    }

    fn observe(&mut self, request: &Request) -> Observation {
        self.observe(request)
    }
}
