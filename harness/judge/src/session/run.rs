//! Running a whole plan.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Instant;

use wire::Card;

use super::{Event, Listener, Session};
use crate::case::Case;
use crate::plan::{Item, Plan};
use crate::verdict::{Outcome, Record, Totals};

/// How to run a plan.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// Threads that ask. Each keeps one single-threaded worker busy: never more than there are cores.
    pub jobs: usize,
}

/// The end of a run.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Every item's record, in the order in which they ended; skipped items first.
    pub records: Vec<Record>,
    /// How many ended how.
    pub totals: Totals,
    /// Known failures that fit no item any more, in words; only a complete plan can tell.
    pub stale: Vec<String>,
    /// Wall time in milliseconds.
    pub wall_ms: f64,
    /// Whether the run was stopped before its end.
    pub interrupted: bool,
}

/// Asks every item of `plan`, `stop` permitting, and tells `listeners`.
///
/// # Errors
/// When a listener cannot write its report. The subjects have ended by then.
pub fn run(
    session: &Session,
    plan: &Plan,
    options: RunOptions,
    stop: &AtomicBool,
    listeners: &mut [&mut dyn Listener],
) -> io::Result<Summary> {
    let start = Instant::now();
    let mut told = Told { listeners, records: Vec::new(), totals: Totals::default() };
    let (subjects, cases) = (&subjects(plan), &cases(plan));
    let (items, jobs, partition) = (plan.items.len(), options.jobs, plan.partition);
    told.tell(Event::Planned { items, subjects, jobs, cases, partition })?;
    for skipped in &plan.skipped {
        told.end(Record::new(&skipped.item, Outcome::Skip, Some(skipped.reason.clone())))?;
    }
    let result = ask_all(session, plan, options, stop, &mut told);
    if result.is_err() {
        session.interrupt();
    }
    result?;
    let summary = Summary {
        interrupted: stop.load(Ordering::Relaxed),
        stale: stale(session, plan),
        records: std::mem::take(&mut told.records),
        totals: told.totals,
        wall_ms: start.elapsed().as_secs_f64() * 1000.0,
    };
    told.tell(Event::Finished(&summary))?;
    Ok(summary)
}

fn ask_all(
    session: &Session,
    plan: &Plan,
    options: RunOptions,
    stop: &AtomicBool,
    told: &mut Told<'_, '_>,
) -> io::Result<()> {
    let queue: Mutex<VecDeque<&Item>> = Mutex::new(plan.items.iter().collect());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..options.jobs.clamp(1, plan.items.len().max(1)) {
            let sender = sender.clone();
            scope.spawn(move || {
                while let Some(item) = next().filter(|_| !stop.load(Ordering::Relaxed)) {
                    if sender.send((item, session.verdict(item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        // What was in flight when the run was stopped says nothing.
        let spoiled = |record: &Record| record.outcome == Outcome::Broken && stop.load(Ordering::Relaxed);
        receiver.iter().filter(|(_, record)| !spoiled(record)).try_for_each(|(item, record)| {
            told.answered(session, item)?;
            told.end(record)
        })
    })
}

fn stale(session: &Session, plan: &Plan) -> Vec<String> {
    if !plan.complete {
        return Vec::new();
    }
    let skipped = plan.skipped.iter().map(|skipped| &skipped.item);
    let items = plan.items.iter().chain(skipped);
    let asked: Vec<(&str, &str, &Card)> =
        items.map(|item| (item.case.id.as_str(), item.model_name(), &item.target.card)).collect();
    let entries = session.known().stale(&asked);
    entries.iter().map(|entry| format!("{} ({})", entry.case, entry.finding)).collect()
}

fn subjects(plan: &Plan) -> Vec<(String, Card)> {
    let mut subjects: Vec<(String, Card)> = Vec::new();
    let skipped = plan.skipped.iter().map(|skipped| &skipped.item);
    for item in plan.items.iter().chain(skipped) {
        if !subjects.iter().any(|(name, _)| *name == item.target.name) {
            subjects.push((item.target.name.clone(), item.target.card.clone()));
        }
    }
    subjects
}

fn cases(plan: &Plan) -> Vec<&Case> {
    let skipped = plan.skipped.iter().map(|skipped| &skipped.item);
    let cases: BTreeMap<&str, &Case> =
        plan.items.iter().chain(skipped).map(|item| (item.case.id.as_str(), &*item.case)).collect();
    cases.into_values().collect()
}

struct Told<'a, 'b> {
    listeners: &'a mut [&'b mut dyn Listener],
    records: Vec<Record>,
    totals: Totals,
}

impl Told<'_, '_> {
    fn tell(&mut self, event: Event<'_>) -> io::Result<()> {
        self.listeners.iter_mut().try_for_each(|listener| listener.hear(event))
    }

    /// Tells the answers to `item` and to its reference.
    fn answered(&mut self, session: &Session, item: &Item) -> io::Result<()> {
        let reference = item.reference_item();
        for item in [Some(item), reference.as_ref()].into_iter().flatten() {
            for (attempt, answer) in session.answers(item) {
                self.tell(Event::Answered { item, attempt, answer: &answer })?;
            }
        }
        Ok(())
    }

    fn end(&mut self, record: Record) -> io::Result<()> {
        self.totals.add(record.outcome);
        self.tell(Event::Ended(&record))?;
        self.records.push(record);
        Ok(())
    }
}
