//! A session: subjects, goldens and what was already observed.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use wire::{Card, Observation, Request};

use super::judged::Judged;
use crate::case::{Case, Check};
use crate::golden::{Golden, GoldenStore, MAKER};
use crate::known::{KnownFailures, apply};
use crate::numbers::Tolerances;
use crate::plan::Item;
use crate::subject::{Pool, WorkerKey};
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

/// Asks subjects and judges what they answered. Many threads may use one.
pub struct Session {
    pool: Pool,
    goldens: GoldenStore,
    tolerances: Tolerances,
    known: KnownFailures,
    options: SessionOptions,
    next_id: AtomicU64,
    /// By item; each is asked once, by whoever comes first, and the others wait for it.
    observed: Mutex<HashMap<String, Slot>>,
}

/// An answer, or why none could be had, once it is known.
type Slot = Arc<OnceLock<Result<Arc<Observed>, String>>>;

/// One answer.
#[derive(Debug)]
pub(super) struct Observed {
    pub(super) request: Request,
    pub(super) observation: Observation,
    pub(super) card: Card,
}

impl Session {
    /// A session over `goldens`, `tolerances` and `known` failures.
    pub fn new(
        goldens: GoldenStore,
        tolerances: Tolerances,
        known: KnownFailures,
        options: SessionOptions,
    ) -> Self {
        Self {
            pool: Pool::new(options.idle_workers),
            goldens,
            tolerances,
            known,
            options,
            next_id: AtomicU64::new(1),
            observed: Mutex::default(),
        }
    }

    /// Asks `item` if that has not been done yet, and judges the answer.
    pub fn verdict(&self, item: &Item) -> Record {
        let start = Instant::now();
        let mut record = self.judge_once(item);
        for again in 0..self.options.retries {
            if record.outcome != Outcome::Fail {
                break;
            }
            self.forget(item);
            let next = self.judge_once(item);
            if next.outcome == Outcome::Pass {
                record.outcome = Outcome::Flaky;
                record.reason = Some(format!("it passed when asked again (try {})", again + 2));
            }
        }
        record.milliseconds = start.elapsed().as_secs_f64() * 1000.0;
        record
    }

    /// What is known to fail.
    pub fn known(&self) -> &KnownFailures {
        &self.known
    }

    fn judge_once(&self, item: &Item) -> Record {
        self.judge(item).unwrap_or_else(|reason| Record::new(item, Outcome::Broken, Some(reason)))
    }

    fn forget(&self, item: &Item) {
        self.observed.lock().unwrap_or_else(PoisonError::into_inner).remove(&item.to_string());
    }

    /// Ends all subjects; items in flight end as broken.
    pub fn interrupt(&self) {
        self.pool.kill_all();
    }

    fn judge(&self, item: &Item) -> Result<Record, String> {
        let golden = self.golden(item)?;
        let live = match item.reference_item() {
            Some(reference) => Some(self.observe(&reference)?),
            None => None,
        };
        let ours = self.observe(item)?;
        let judged = Judged {
            item,
            ours: &ours,
            golden: golden.as_ref(),
            live: live.as_deref(),
            tolerance: self.tolerances.of(&item.target.name),
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
    fn review(
        &self,
        item: &Item,
        ours: &Observed,
        judged: &Judged<'_>,
    ) -> Result<Option<std::path::PathBuf>, String> {
        let may_make = item.target.name == MAKER && ours.card.fault.is_none();
        if !may_make || !item.case.has_golden() || !item.model.as_ref().is_some_and(|model| model.listed) {
            return Ok(None);
        }
        let (model, case) = (item.model_name(), &item.case.id);
        let result = if judged.agrees_with_golden() {
            self.goldens.unstage(model, case).map(|()| None)
        } else {
            self.goldens.stage(model, case, &item.case.why, &Golden::of(&ours.card, &ours.observation))
        };
        result.map_err(|error| error.to_string())
    }

    fn golden(&self, item: &Item) -> Result<Option<Golden>, String> {
        let listed = item.model.as_ref().is_some_and(|model| model.listed);
        if !listed || !item.case.has_golden() {
            return Ok(None);
        }
        self.goldens.read(item.model_name(), &item.case.id).map_err(|error| error.to_string())
    }

    /// The answer to `item`, asked once in a session.
    fn observe(&self, item: &Item) -> Result<Arc<Observed>, String> {
        let slot = {
            let mut observed = self.observed.lock().unwrap_or_else(PoisonError::into_inner);
            observed.entry(item.to_string()).or_default().clone()
        };
        slot.get_or_init(|| self.ask(item)).clone()
    }

    fn ask(&self, item: &Item) -> Result<Arc<Observed>, String> {
        let request = item.request(self.next_id.fetch_add(1, Ordering::Relaxed), self.forced(item)?);
        let key = WorkerKey::of(item.target.name.as_str(), &request);
        let (observation, card) = self
            .pool
            .observe(&key, &item.target.launch, &request, self.options.deadline)
            .map_err(|error| with_sources(&error))?;
        Ok(Arc::new(Observed { request, observation, card }))
    }

    /// The tokens that `item` has to follow: the golden's, else the live reference's.
    ///
    /// A case that demands a text or an end of its own runs free, and so does the maker of goldens: what it
    /// would say now is what is reviewed.
    fn forced(&self, item: &Item) -> Result<Option<Vec<i32>>, String> {
        if !item.can_force() || !item.case.has_golden() || runs_free(&item.case) || item.target.name == MAKER
        {
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
    let own = |check: &Check| !matches!(check, Check::Golden {} | Check::Prompt(_) | Check::Tokens(_));
    !case.expects.is_empty() || case.checks.iter().any(own)
}

/// An error and what is behind it, in one line.
fn with_sources(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text.push_str(&format!(": {error}"));
        source = error.source();
    }
    text
}
