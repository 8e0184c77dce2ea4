//! A session: a source of answers, goldens, and what was already answered.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use wire::Observation;

use super::answer::{Answer, NoAnswer};
use super::judged::{Judged, makes_goldens};
use super::live::Live;
use super::replay::Replay;
use super::source::Source;
use crate::case::{Case, Check};
use crate::golden::{Golden, GoldenStore};
use crate::known::{KnownFailures, apply};
use crate::numbers::{Tolerance, Tolerances};
use crate::plan::Item;
use crate::subject::Recorded;
use crate::trace::Traced;
use crate::verdict::{Outcome, Record};

/// What a session is made with.
#[derive(Clone, Debug)]
pub struct SessionOptions {
    /// How long a subject may take for one request.
    pub deadline: Duration,
    /// Workers that may wait for further requests; as many as there are threads that ask.
    pub idle_workers: usize,
    /// How often a failed item is asked again; passing then makes it flaky, which is a failure too.
    pub retries: u32,
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self { deadline: Duration::from_secs(60), idle_workers: 2, retries: 0 }
    }
}

/// Asks and judges what was answered. Many threads may use one.
pub struct Session {
    source: Box<dyn Source>,
    goldens: GoldenStore,
    tolerances: Tolerances,
    known: KnownFailures,
    answers: Mutex<HashMap<String, Attempts>>,
    tracer: Option<Tracer>,
}

/// Finds the node of the graph at which an item's numbers go wrong, within a tolerance; `None` where it is not to.
pub type Tracer = Box<dyn Fn(&Item, &Tolerance) -> Option<Traced> + Send + Sync>;

/// The answers to one item, the latest attempt last. Each is asked for once, by whoever comes first, and the others
/// wait for it.
type Attempts = Vec<Slot>;

/// An answer, or why none could be had, once it is known.
type Slot = Arc<OnceLock<Result<Arc<Answer>, NoAnswer>>>;

impl Session {
    /// A session that asks running subjects, over `goldens`, `tolerances` and `known` failures.
    pub fn new(
        goldens: GoldenStore,
        tolerances: Tolerances,
        known: KnownFailures,
        options: SessionOptions,
    ) -> Self {
        Self::over(Box::new(Live::new(options)), goldens, tolerances, known)
    }

    /// A session that asks nobody: its answers are those that were `recorded`.
    pub fn replay(
        goldens: GoldenStore,
        tolerances: Tolerances,
        known: KnownFailures,
        recorded: Vec<Recorded>,
    ) -> Self {
        Self::over(Box::new(Replay::new(recorded)), goldens, tolerances, known)
    }

    fn over(
        source: Box<dyn Source>,
        goldens: GoldenStore,
        tolerances: Tolerances,
        known: KnownFailures,
    ) -> Self {
        Self { source, goldens, tolerances, known, answers: Mutex::default(), tracer: None }
    }

    /// Has every item that fails by its numbers traced by `tracer`. A verdict never depends on what it says.
    pub fn trace_with(self, tracer: Tracer) -> Self {
        Self { tracer: Some(tracer), ..self }
    }

    /// Asks `item` if that has not been done yet, and judges the answer.
    pub fn verdict(&self, item: &Item) -> Record {
        let start = Instant::now();
        let mut record = self.judge_once(item);
        for attempt in 2..=self.source.attempts(item) {
            if record.outcome != Outcome::Fail {
                break;
            }
            self.attempts().entry(item.to_string()).or_default().push(Slot::default());
            let next = self.judge_once(item);
            if next.outcome == Outcome::Pass {
                record.outcome = Outcome::Flaky;
                record.reason = Some(format!("it passed when asked again (try {attempt})"));
            }
        }
        let is_numeric = record.blame.as_ref().is_some_and(|blame| blame.code.is_numeric());
        if let Some(tracer) = self.tracer.as_ref().filter(|_| is_numeric && record.outcome == Outcome::Fail) {
            record.trace = tracer(item, self.tolerance(item)).map(Box::new);
        }
        record.milliseconds = start.elapsed().as_secs_f64() * 1000.0;
        record
    }

    /// What `item` was answered so far: one answer for each time that it was asked, counted from 1.
    pub fn answers(&self, item: &Item) -> Vec<(usize, Arc<Answer>)> {
        let slots = self.attempts().get(&item.to_string()).cloned().unwrap_or_default();
        let answer = |slot: &Slot| slot.get().and_then(|answer| answer.as_ref().ok()).cloned();
        (1..).zip(&slots).filter_map(|(attempt, slot)| Some((attempt, answer(slot)?))).collect()
    }

    /// How far an answer to `item` may be from its reference.
    pub fn tolerance(&self, item: &Item) -> &Tolerance {
        self.tolerances.of(&item.target.card.backend, item.model_name(), item.case.variant())
    }

    /// Whether `item` follows its reference's tokens rather than its own choice.
    pub fn follows(&self, item: &Item) -> bool {
        item.can_force() && item.case.has_golden() && !runs_free(&item.case)
    }

    /// What `item`'s answer is compared with: the accepted golden, else the live answer of its reference.
    pub fn reference(&self, item: &Item) -> Option<Observation> {
        if let Some(golden) = self.golden(item).ok().flatten() {
            return Some(golden.observation);
        }
        let reference = item.reference_item()?;
        self.observe(&reference).ok().map(|answer| answer.observation.clone())
    }

    /// The request that puts `item`, with the tokens that it has to follow where its golden or reference is at hand.
    /// Nobody is asked but the reference.
    pub fn question(&self, item: &Item) -> wire::Request {
        item.request(0, self.forced(item).ok().flatten())
    }

    /// What is known to fail.
    pub fn known(&self) -> &KnownFailures {
        &self.known
    }

    /// Ends all subjects; items in flight end as broken.
    pub fn interrupt(&self) {
        self.source.interrupt();
    }

    fn judge_once(&self, item: &Item) -> Record {
        self.judge(item).unwrap_or_else(|no_answer| no_answer.record(item))
    }

    fn attempts(&self) -> MutexGuard<'_, HashMap<String, Attempts>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn judge(&self, item: &Item) -> Result<Record, NoAnswer> {
        let golden = self.golden(item)?;
        // Where there is a golden, the subject's own answer to the case adds nothing.
        let reference =
            item.reference_item().filter(|other| golden.is_none() || other.target.name != item.target.name);
        let live = match reference {
            Some(reference) => Some(self.observe(&reference)?),
            None => None,
        };
        let ours = self.observe(item)?;
        let judged = Judged {
            item,
            ours: &ours,
            golden: golden.as_ref(),
            live: live.as_deref(),
            tolerance: self.tolerance(item),
            live_name: item.reference_name(),
        };
        let mut record = judged.record();
        let applied = apply(&record, &ours.card, &self.known);
        if let Some(entry) = applied.by.first() {
            record.reason = Some(format!("known: {} ({})", entry.reason, entry.link));
        }
        record.outcome = applied.outcome;
        record.pending = self.review(item, &ours, &judged)?;
        Ok(record)
    }

    /// Stages a new golden where the maker's answer is not the accepted one.
    fn review(&self, item: &Item, ours: &Answer, judged: &Judged<'_>) -> Result<Option<PathBuf>, NoAnswer> {
        let may_make = makes_goldens(item) && ours.card.fault.is_none();
        if !may_make || !item.case.has_golden() || !item.model.as_ref().is_some_and(|model| model.listed) {
            return Ok(None);
        }
        let (model, case) = (item.model_name(), &item.case.id);
        let result = if judged.agrees_with_golden() {
            self.goldens.unstage(model, case).map(|()| None)
        } else {
            self.goldens.stage(model, case, &item.case.why, &Golden::of(&ours.card, &ours.observation))
        };
        result.map_err(|error| NoAnswer::broken(&error))
    }

    fn golden(&self, item: &Item) -> Result<Option<Golden>, NoAnswer> {
        let Some(model) = item.golden_model().filter(|model| model.listed && item.case.has_golden()) else {
            return Ok(None);
        };
        self.goldens.read(&model.name, item.case.golden_id()).map_err(|error| NoAnswer::broken(&error))
    }

    /// The latest answer to `item`, asked for once.
    fn observe(&self, item: &Item) -> Result<Arc<Answer>, NoAnswer> {
        let (attempt, slot) = {
            let mut attempts = self.attempts();
            let slots = attempts.entry(item.to_string()).or_default();
            if slots.is_empty() {
                slots.push(Slot::default());
            }
            (slots.len(), slots[slots.len() - 1].clone())
        };
        slot.get_or_init(|| Ok(Arc::new(self.source.answer(item, attempt, self.forced(item)?)?))).clone()
    }

    /// The tokens that `item` has to follow: the golden's, else the live reference's.
    ///
    /// A case that demands a text or an end of its own runs free, and so does the maker of goldens: what it
    /// would say now is what is reviewed.
    fn forced(&self, item: &Item) -> Result<Option<Vec<i32>>, NoAnswer> {
        if !self.follows(item) || makes_goldens(item) {
            return Ok(None);
        }
        let tokens = match (self.golden(item)?, item.reference_item()) {
            (Some(golden), _) => golden.generated(),
            (None, Some(reference)) => {
                let turns = &self.observe(&reference)?.observation.turns;
                turns.iter().flat_map(|turn| &turn.generated).map(|token| token.id).collect()
            }
            (None, None) => Vec::new(),
        };
        Ok((!tokens.is_empty()).then_some(tokens))
    }
}

fn runs_free(case: &Case) -> bool {
    let own = |check: &Check| {
        !matches!(check, Check::Golden {} | Check::Live {} | Check::Prompt(_) | Check::Tokens(_))
    };
    !case.expects.is_empty() || case.checks.iter().any(own)
}
