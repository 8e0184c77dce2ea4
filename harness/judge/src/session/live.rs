//! Answers of running subjects.

use std::sync::atomic::{AtomicU64, Ordering};

use super::SessionOptions;
use super::answer::{Answer, NoAnswer};
use super::source::Source;
use crate::plan::Item;
use crate::subject::{Pool, WorkerKey};

/// Asks subjects in a pool.
pub(super) struct Live {
    pool: Pool,
    options: SessionOptions,
    next_id: AtomicU64,
}

impl Live {
    pub(super) fn new(options: SessionOptions) -> Self {
        Self { pool: Pool::new(options.idle_workers), options, next_id: AtomicU64::new(1) }
    }
}

impl Source for Live {
    fn answer(&self, item: &Item, _: usize, forced: Option<Vec<i32>>) -> Result<Answer, NoAnswer> {
        let request = item.request(self.next_id.fetch_add(1, Ordering::Relaxed), forced);
        let key = WorkerKey::of(item.target.name.as_str(), &request);
        let (observation, card) = self
            .pool
            .observe(&key, &item.target.launch, &request, self.options.deadline)
            .map_err(|error| NoAnswer::broken(&error))?;
        Ok(Answer { request, observation, card })
    }

    fn attempts(&self, _: &Item) -> usize {
        1 + self.options.retries as usize
    }

    fn interrupt(&self) {
        self.pool.kill_all();
    }
}
