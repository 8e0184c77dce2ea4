//! The healthy subject under other conditions: it must raise no alarm.

use std::sync::{Mutex, PoisonError, RwLock};
use std::time::Duration;

use serde::Serialize;
use wire::{Isolation, Observation, Request, Stimulus};

use super::Variation;
use super::run::on_threads;
use crate::check::{Expected, evaluate};
use crate::finding::Finding;
use crate::numbers::Tolerance;
use crate::plan::Item;
use crate::session::Session;
use crate::subject::{READY_DEADLINE, Subject as _, SubjectError, Worker};

/// Questions that one seed asks.
const ASKED: usize = 3;
/// Turns of the longest conversation.
const MOST_TURNS: usize = 3;
/// How long an answer may take.
const DEADLINE: Duration = Duration::from_secs(60);

/// What came of the seeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeedReport {
    /// Seeds.
    pub seeds: usize,
    /// Answers that were judged.
    pub answers: usize,
    /// What was found although nothing is wrong.
    pub alarms: Vec<Alarm>,
}

/// A false alarm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Alarm {
    /// Under which conditions.
    pub variation: Variation,
    /// The question.
    pub item: String,
    /// What was found.
    pub findings: Vec<Finding>,
}

impl SeedReport {
    /// The largest rate of seeds with an alarm that is compatible with seeing none, at 95 % confidence: 3 / n (the
    /// rule of three). `None` where there was an alarm, or no seed.
    pub fn bound95(&self) -> Option<f64> {
        (self.alarms.is_empty() && self.seeds > 0).then(|| (3.0 / self.seeds as f64).min(1.0))
    }
}

/// A question, the answer to compare with, and what may differ.
struct Question<'a> {
    item: &'a Item,
    reference: Observation,
    tolerance: Tolerance,
    forced: Option<Vec<i32>>,
}

/// A question that was asked under a variation, and what was answered.
pub(crate) struct Asked<'a> {
    /// The question.
    pub(crate) item: &'a Item,
    /// Under which conditions.
    pub(crate) variation: &'a Variation,
    /// What was really asked.
    pub(crate) request: &'a Request,
    /// What was seen.
    pub(crate) observation: &'a Observation,
    /// What is seen under the conditions of the case.
    pub(crate) reference: &'a Observation,
    /// How far the two may be apart.
    pub(crate) tolerance: &'a Tolerance,
}

/// Asks `items` under `seeds` variations on `jobs` threads, and compares with the answers of `session`, which asks as
/// the cases say. An item that `session` does not answer is left out: it is an alarm elsewhere.
///
/// # Errors
/// When a worker cannot be started.
pub fn run_seeds(
    items: &[Item],
    session: &Session,
    seeds: usize,
    jobs: usize,
) -> Result<SeedReport, SubjectError> {
    let judged = under_seeds(items, session, seeds, jobs, |asked| {
        let expected = [Expected { name: "the reference", observation: asked.reference }];
        let findings =
            evaluate(&asked.item.case, asked.request, asked.observation, &expected, asked.tolerance);
        let (variation, item) = (asked.variation.clone(), asked.item.to_string());
        (!findings.is_empty()).then_some(Alarm { variation, item, findings })
    })?;
    let answers = judged.len();
    let mut alarms: Vec<Alarm> = judged.into_iter().flatten().collect();
    alarms.sort_by_key(|alarm| alarm.variation.seed);
    Ok(SeedReport { seeds, answers, alarms })
}

/// What `judge` makes of each answer to `items`, all of one subject, under `seeds` variations, in any order.
///
/// # Errors
/// When a worker cannot be started.
pub(crate) fn under_seeds<R: Send>(
    items: &[Item],
    session: &Session,
    seeds: usize,
    jobs: usize,
    judge: impl Fn(&Asked<'_>) -> R + Sync,
) -> Result<Vec<R>, SubjectError> {
    if seeds == 0 {
        return Ok(Vec::new());
    }
    let mut questions: Vec<Question<'_>> = items.iter().filter_map(|item| question(item, session)).collect();
    let is_long = |question: &Question<'_>| matches!(question.item.case.stimulus, Stimulus::Converse(_));
    questions.sort_by_key(is_long);
    let short = questions.iter().filter(|question| !is_long(question)).count();
    let variations: Vec<Variation> =
        (0..seeds as u64).map(|seed| Variation::new(seed, questions.len(), short, ASKED)).collect();
    let reused = Mutex::new(Vec::new());
    // ggml's threads spin: a subject with two is asked alone.
    let cores = RwLock::new(());
    let asked = on_threads(&variations, jobs, |variation| {
        let (_shared, _alone) = if variation.n_threads > 1 {
            (None, Some(cores.write().unwrap_or_else(PoisonError::into_inner)))
        } else {
            (Some(cores.read().unwrap_or_else(PoisonError::into_inner)), None)
        };
        ask(variation, &questions, &reused, &judge)
    });
    asked.into_iter().collect::<Result<Vec<_>, _>>().map(|judged| judged.into_iter().flatten().collect())
}

/// Only what computes is asked, as a prompt is the same under every variation, and no conversation that goes on until
/// the context is full: token by token it would take as long as all others together. Variants of cases are conditions
/// of their own.
fn question<'a>(item: &'a Item, session: &Session) -> Option<Question<'a>> {
    if item.case.variant_of.is_some() {
        return None;
    }
    match &item.case.stimulus {
        Stimulus::Generate(_) | Stimulus::Score(_) => {}
        Stimulus::Converse(spec) if spec.turns.len() <= MOST_TURNS => {}
        _ => return None,
    }
    session.verdict(item);
    let (_, answer) = session.answers(item).pop()?;
    let forced = session.follows(item).then(|| {
        answer.observation.turns.iter().flat_map(|turn| &turn.generated).map(|token| token.id).collect()
    });
    let tolerance = session.tolerance(item).clone();
    Some(Question { item, reference: answer.observation.clone(), tolerance, forced })
}

fn ask<R>(
    variation: &Variation,
    questions: &[Question<'_>],
    reused: &Mutex<Vec<Worker>>,
    judge: &impl Fn(&Asked<'_>) -> R,
) -> Result<Vec<R>, SubjectError> {
    let Some(first) = variation.order.first() else { return Ok(Vec::new()) };
    let idle = || reused.lock().unwrap_or_else(PoisonError::into_inner);
    let waiting = if variation.reused_worker { idle().pop() } else { None };
    let launch = &questions[*first].item.target.launch;
    let mut worker = match waiting.filter(Worker::is_alive) {
        Some(worker) => worker,
        None => Worker::spawn(launch, READY_DEADLINE)?,
    };
    let mut judged = Vec::new();
    for (number, &index) in variation.order.iter().enumerate() {
        let Question { item, reference, tolerance, .. } = &questions[index];
        let request = request(variation, &questions[index], number as u64);
        if !worker.is_alive() {
            worker = Worker::spawn(launch, READY_DEADLINE)?;
        }
        let observation = worker.observe(&request, DEADLINE)?;
        let (request, observation) = (&request, &observation);
        judged.push(judge(&Asked { item, variation, request, observation, reference, tolerance }));
    }
    idle().push(worker);
    Ok(judged)
}

fn request(variation: &Variation, question: &Question<'_>, id: u64) -> Request {
    let mut request = question.item.request(id, question.forced.clone());
    request.config.context = variation.context(&request.config.context);
    if variation.fresh_context {
        request.isolation = Isolation::Fresh;
    }
    request
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_follows_the_rule_of_three() {
        let report = |seeds| SeedReport { seeds, answers: 0, alarms: Vec::new() };
        assert_eq!(report(1000).bound95(), Some(0.003));
        assert_eq!(report(1).bound95(), Some(1.0));
        assert_eq!(report(0).bound95(), None);
    }
}
