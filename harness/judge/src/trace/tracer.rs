//! Which questions lead to the node.

use wire::{Ending, Graph, Isolation, Observation, Request, Stimulus, TensorData, Want, Watch};

use super::report::{TraceOutcome, TraceReport};
use super::suspect::{Suspect, finite, wants};
use super::worst::window;
use super::{Divergence, Given, Pairs, Step, Walk, divergence, pairs, switches, walk};
use crate::numbers::Tolerance;
use crate::subject::SubjectError;

/// What is traced.
#[derive(Clone, Debug)]
pub struct Question {
    /// What is asked of both.
    pub request: Request,
    /// How far their logits may be apart.
    pub tolerance: Tolerance,
    /// Names for the report: case, model, subject, reference.
    pub case: String,
    /// The model.
    pub model: String,
    /// The subject.
    pub subject: String,
    /// The fault that is switched on in it.
    pub fault: Option<String>,
    /// The subject that it is compared with.
    pub reference: String,
}

/// Whom to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The subject that is traced.
    Ours,
    /// The one that it is compared with.
    Reference,
}

/// Why nothing can be traced.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// A stimulus that computes no logits.
    #[error("\"{0}\" computes no logits; trace a case that generates, converses or scores")]
    NothingComputed(&'static str),
    /// A subject could not be asked.
    #[error(transparent)]
    Subject(#[from] SubjectError),
    /// A subject gave no numbers.
    #[error("{subject} gave no numbers to trace: {ending}; `cargo xtask test` says more")]
    NoAnswer {
        /// Which subject.
        subject: String,
        /// How it ended.
        ending: String,
    },
    /// A subject's answer has no distributions.
    #[error("the answers hold no distributions that could be compared; trace a case with `score`")]
    NothingToCompare,
    /// A subject computed nothing in a call.
    #[error(
        "{subject} computed nothing in call {call}: llama_decode failed there; `cargo xtask test` says more"
    )]
    NoGraph {
        /// Which subject.
        subject: String,
        /// The call.
        call: u32,
    },
}

/// The largest part of an error in the memory that counts as not there yet.
const NOT_YET: f64 = 0.01;
/// How many given tensors a report lists.
const GIVEN: usize = 10;

/// Finds the node. Every question is asked of a new context, so that each run is the same. `ask` puts a request to one of the two.
///
/// # Errors
/// When either cannot be asked, or does not show what is needed.
pub fn trace(
    question: &Question,
    ask: &mut dyn FnMut(Side, &Request) -> Result<Observation, SubjectError>,
) -> Result<TraceReport, TraceError> {
    let mut request = Request { isolation: Isolation::Fresh, ..question.request.clone() };
    let forces = match &mut request.stimulus {
        Stimulus::Score(spec) => {
            // Of several ways to have the weights the last one: a file, as everybody loads it.
            if let Some(weights) = std::mem::take(&mut spec.ways).pop() {
                request.config.load.weights = weights;
            }
            false
        }
        Stimulus::Generate(spec) => {
            spec.score = true;
            true
        }
        Stimulus::Converse(spec) => {
            spec.score = true;
            true
        }
        other => return Err(TraceError::NothingComputed(other.name())),
    };
    Tracer { question, request, forces, forced: None, ask }.run()
}

struct Tracer<'a> {
    question: &'a Question,
    request: Request,
    /// Whether the reference's tokens are forced on the subject.
    forces: bool,
    forced: Option<Vec<i32>>,
    ask: &'a mut dyn FnMut(Side, &Request) -> Result<Observation, SubjectError>,
}

/// What both answered.
struct Answers {
    ours: Observation,
    reference: Observation,
}

/// What both computed in one call.
struct Graphs {
    call: u32,
    ours: Graph,
    reference: Graph,
}

impl Graphs {
    fn pairs(&self) -> Pairs<'_> {
        pairs(&self.ours, &self.reference)
    }
}

impl Tracer<'_> {
    fn run(mut self) -> Result<TraceReport, TraceError> {
        let plain = self.both(None)?;
        if !same_question(&plain) {
            return Ok(self.report(TraceOutcome::BeforeTheGraph, None, 0));
        }
        let tolerance = &self.question.tolerance;
        let found =
            divergence(&plain.ours, &plain.reference, tolerance).ok_or(TraceError::NothingToCompare)?;
        let (watched, graphs) = self.graphs(found.call)?;
        let seen = divergence(&watched.ours, &watched.reference, &self.question.tolerance);
        let vanished = found.differs && !seen.is_some_and(|seen| seen.differs);
        let graphs = if vanished { graphs } else { self.where_it_began(graphs, &found)? };
        let pairs = graphs.pairs();
        let walked = walk(&pairs);
        let (outcome, step) = self.outcome(&pairs, &walked, &found, vanished);
        let mut report = self.report(outcome, Some(found), graphs.call);
        if let Some(step) = step {
            let (ours, reference) = self.numbers(&graphs, &step)?;
            report.suspect = Some(Suspect::new(&step, &pairs, &ours, &reference));
        }
        report.given = walked.given.iter().take(GIVEN).cloned().collect();
        report.compared = walked.compared;
        report.worst_nmse = finite(walked.worst);
        report.nearest = finite(walked.nearest);
        report.only_ours = pairs.only_ours().into_iter().cloned().collect();
        report.only_reference = pairs.only_reference.into_iter().cloned().collect();
        Ok(report)
    }

    fn report(&self, outcome: TraceOutcome, divergence: Option<Divergence>, call: u32) -> TraceReport {
        let Question { case, model, subject, fault, reference, .. } = self.question.clone();
        let off = if outcome == TraceOutcome::Vanished { switches(&subject) } else { &[] };
        TraceReport {
            version: TraceReport::VERSION,
            switches: off.iter().map(|switch| (*switch).to_owned()).collect(),
            case,
            model,
            subject,
            fault,
            reference,
            outcome,
            divergence,
            call,
            suspect: None,
            given: Vec::new(),
            compared: 0,
            worst_nmse: None,
            nearest: None,
            only_ours: Vec::new(),
            only_reference: Vec::new(),
        }
    }

    /// What the walk means, and the node to look at.
    fn outcome<'p>(
        &self,
        pairs: &Pairs<'_>,
        walked: &Walk<'p>,
        found: &Divergence,
        vanished: bool,
    ) -> (TraceOutcome, Option<Step<'p>>) {
        let same_graph = pairs.only_ours().is_empty() && pairs.only_reference.is_empty();
        let first = walked.first;
        match first {
            _ if vanished => (TraceOutcome::Vanished, None),
            Some(_) if !found.differs => (TraceOutcome::WrongWithoutEffect, first),
            Some(_) => (TraceOutcome::Node, first),
            None if !found.differs => (TraceOutcome::Agrees, None),
            None if !walked.given.is_empty() && walked.given[0].nmse > self.question.tolerance.nmse => {
                (TraceOutcome::Given, None)
            }
            None if !same_graph => (TraceOutcome::GraphsDiffer, None),
            None if walked.worst <= self.question.tolerance.nmse => (TraceOutcome::BehindTheGraph, None),
            None => (TraceOutcome::Growth, walked.growths.first().copied()),
        }
    }

    /// The graphs of the call to look at: where nothing is wrong with a call but the memory that it found, the first
    /// call after which the memory was different.
    fn where_it_began(&mut self, graphs: Graphs, found: &Divergence) -> Result<Graphs, TraceError> {
        let walked_worst = {
            let pairs = graphs.pairs();
            let walked = walk(&pairs);
            if walked.first.is_some() || !found.differs { 0.0 } else { memory(&walked.given) }
        };
        if walked_worst == 0.0 {
            return Ok(graphs);
        }
        let (mut sound, mut different) = (0, graphs.call);
        while different - sound > 1 {
            let middle = u32::midpoint(sound, different);
            let (_, graphs) = self.graphs(middle)?;
            let began = memory(&walk(&graphs.pairs()).given) > NOT_YET * walked_worst;
            if began { different = middle } else { sound = middle }
        }
        if sound == graphs.call { Ok(graphs) } else { Ok(self.graphs(sound)?.1) }
    }

    /// The numbers of a step's result and inputs, from both.
    fn numbers(
        &mut self,
        graphs: &Graphs,
        step: &Step<'_>,
    ) -> Result<(Vec<TensorData>, Vec<TensorData>), TraceError> {
        let mut wanted = wants(step, &graphs.ours);
        let (mut ours, mut reference) = self.data(graphs.call, &wanted)?;
        let result = wanted.remove(0).tensor;
        let found = |data: &[TensorData]| data.iter().position(|data| data.tensor == result);
        let at = found(&ours).zip(found(&reference));
        let from = at.and_then(|(a, b)| Some((a, b, window(&ours[a], &reference[b])?)));
        if let Some((mine, theirs, from)) = from.filter(|(.., from)| *from > 0) {
            let (a, b) = self.data(graphs.call, &[Want { tensor: result, from }])?;
            a.into_iter().for_each(|data| ours[mine] = data);
            b.into_iter().for_each(|data| reference[theirs] = data);
        }
        Ok((ours, reference))
    }

    fn data(&mut self, call: u32, data: &[Want]) -> Result<(Vec<TensorData>, Vec<TensorData>), TraceError> {
        let answers = self.both(Some(Watch { call, data: data.to_vec() }))?;
        let data = |answer: Observation| answer.graph.unwrap_or_default().data;
        Ok((data(answers.ours), data(answers.reference)))
    }

    fn graphs(&mut self, call: u32) -> Result<(Answers, Graphs), TraceError> {
        let mut answers = self.both(Some(Watch { call, data: Vec::new() }))?;
        let missing = |subject: &String| TraceError::NoGraph { subject: subject.clone(), call };
        let Question { subject, reference, .. } = self.question;
        let ours = answers.ours.graph.take().ok_or_else(|| missing(subject))?;
        let reference = answers.reference.graph.take().ok_or_else(|| missing(reference))?;
        Ok((answers, Graphs { call, ours, reference }))
    }

    fn both(&mut self, watch: Option<Watch>) -> Result<Answers, TraceError> {
        let reference = self.one(Side::Reference, watch.clone())?;
        if self.forces && self.forced.is_none() {
            let tokens = reference.turns.iter().flat_map(|turn| &turn.generated);
            self.forced = Some(tokens.map(|token| token.id).collect());
        }
        Ok(Answers { ours: self.one(Side::Ours, watch)?, reference })
    }

    fn one(&mut self, side: Side, watch: Option<Watch>) -> Result<Observation, TraceError> {
        let forced_tokens = self.forced.clone().filter(|_| side == Side::Ours);
        let request = Request { watch, forced_tokens, ..self.request.clone() };
        let observation = (self.ask)(side, &request)?;
        let Question { subject, reference, .. } = self.question;
        let subject = if side == Side::Ours { subject } else { reference };
        match &observation.ending {
            Ending::Completed => Ok(observation),
            ending => Err(TraceError::NoAnswer { subject: subject.clone(), ending: words(ending) }),
        }
    }
}

/// The largest difference in what earlier calls left behind. llama.cpp calls its KV caches and recurrent states
/// `cache_…`.
fn memory(given: &[Given]) -> f64 {
    let caches = given.iter().filter(|given| given.tensor.name.starts_with("cache"));
    caches.map(|given| given.nmse).fold(0.0, f64::max)
}

fn same_question(answers: &Answers) -> bool {
    let asked = |observation: &Observation| -> Vec<Vec<i32>> {
        let ids = |turn: &wire::Turn| turn.prompt_tokens.iter().map(|token| token.id).collect();
        observation.turns.iter().map(ids).collect()
    };
    asked(&answers.ours) == asked(&answers.reference)
}

fn words(ending: &Ending) -> String {
    match ending {
        Ending::Completed => "it completed".to_owned(),
        Ending::Refused(refusal) => format!("it refused ({})", refusal.message),
        Ending::Died { .. } => "it died".to_owned(),
        Ending::Hung { deadline_ms } => format!("it did not answer within {deadline_ms} ms"),
        Ending::Garbled { problem, .. } => format!("its answer was garbled ({problem})"),
    }
}
