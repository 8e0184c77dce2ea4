//! Asking: the healthy subject, then one fault after the other.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::plan::PlannedFault;
use super::{FaultPlan, Healthy, Row};
use crate::plan::Item;
use crate::session::Session;
use crate::verdict::Record;

/// The sessions that ask.
pub struct FaultSessions {
    /// For subjects that answer. It must keep more workers waiting than there are jobs, so that the questions of one
    /// fault meet the same worker.
    pub patient: Session,
    /// For subjects that never answer: its deadline is short.
    pub hasty: Session,
}

/// Asks everything in `plan` on `jobs` threads. Rows are sorted by fault.
pub fn run_faults(plan: &FaultPlan, sessions: &FaultSessions, jobs: usize) -> (Healthy, Vec<Row>) {
    let records = on_threads(&plan.healthy, jobs, |item| sessions.patient.verdict(item));
    let is_alarm = |record: &Record| record.outcome.is_bad();
    let healthy = Healthy { items: records.len(), alarms: records.into_iter().filter(is_alarm).collect() };
    let rows = on_threads(&plan.faults, jobs, |planned| ask(planned, sessions));
    let mut rows: Vec<Row> = rows.into_iter().flatten().collect();
    rows.sort_by(|a, b| (&a.fault, &a.model, &a.case).cmp(&(&b.fault, &b.model, &b.case)));
    (healthy, rows)
}

fn ask(planned: &PlannedFault, sessions: &FaultSessions) -> Vec<Row> {
    let entry = &planned.entry;
    let session = if entry.hangs { &sessions.hasty } else { &sessions.patient };
    for item in &planned.before {
        session.verdict(item);
    }
    let Some(stated) = entry.expectation() else { return Vec::new() };
    let row = |item: &Item| {
        let record = session.verdict(item);
        let answers = session.answers(item);
        let effect = answers.last().and_then(|(_, answer)| answer.observation.fault_effect);
        Row::new(entry, stated.clone(), &record, effect)
    };
    planned.items.iter().map(row).collect()
}

/// `work` for each of `tasks`, on `jobs` threads, in any order.
pub(crate) fn on_threads<T: Sync, R: Send>(
    tasks: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let queue: Mutex<VecDeque<&T>> = Mutex::new(tasks.iter().collect());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let done = Mutex::new(Vec::with_capacity(tasks.len()));
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, tasks.len().max(1)) {
            scope.spawn(|| {
                while let Some(task) = next() {
                    let result = work(task);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push(result);
                }
            });
        }
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_is_done_once() {
        for jobs in [0, 1, 3, 100] {
            let tasks: Vec<u32> = (0..50).collect();
            let mut done = on_threads(&tasks, jobs, |task| task * 2);
            done.sort_unstable();
            assert_eq!(done, tasks.iter().map(|task| task * 2).collect::<Vec<_>>());
        }
        assert!(on_threads(&[], 2, |task: &u32| *task).is_empty());
    }
}
