//! Workers that are kept between requests, and given another model before another process is started.

use std::collections::VecDeque;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use wire::{Card, Ending, Observation, Request};

use super::process::Process;
use super::{Launch, Subject, SubjectError, Worker, WorkerKey};

/// How long a started probe may take to get ready. Loading a model is no part of it, a simulator's start is.
pub const READY_DEADLINE: Duration = Duration::from_secs(60);

/// Workers by key. Many threads may ask at once: each takes a worker out, uses it alone, and puts it back.
pub struct Pool {
    max_idle: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Waiting workers, the longest unused first.
    idle: VecDeque<(WorkerKey, Worker)>,
    /// Processes that are being asked, or getting ready.
    busy: Vec<Arc<Process>>,
    interrupted: bool,
}

impl Pool {
    /// A pool that keeps at most `max_idle` workers waiting; how many are busy is up to the callers.
    pub fn new(max_idle: usize) -> Self {
        Self { max_idle, state: Mutex::default() }
    }

    /// Asks a waiting worker with this key, else a new one; the answer and the card of whoever gave it.
    ///
    /// A worker with limits serves one request only. One that broke off is not used again, nor is one that ended
    /// while it waited.
    ///
    /// # Errors
    /// When no worker could be started, or [`Self::kill_all`] was called.
    pub fn observe(
        &self,
        key: &WorkerKey,
        launch: &Launch,
        request: &Request,
        deadline: Duration,
    ) -> Result<(Observation, Card), SubjectError> {
        if let Some(worker) = self.take(key, launch)? {
            match self.ask(key, worker, request, deadline) {
                Err(SubjectError::NotRunning { .. }) => {}
                answer => return answer,
            }
        }
        let worker = self.start(launch)?;
        self.ask(key, worker, request, deadline)
    }

    /// Kills every worker, for good: requests in flight and later ones end with [`SubjectError::Interrupted`].
    /// When it returns, the processes are gone.
    pub fn kill_all(&self) {
        let (idle, busy) = {
            let mut state = self.lock();
            state.interrupted = true;
            (mem::take(&mut state.idle), state.busy.clone())
        };
        // All get the signal before the first is waited for.
        busy.iter().for_each(|process| process.kill());
        idle.iter().for_each(|(_, worker)| worker.process().kill());
        drop(idle);
        for process in busy {
            process.end();
        }
    }

    /// How many workers wait for a request.
    pub fn idle(&self) -> usize {
        self.lock().idle.len()
    }

    /// A waiting worker that has loaded what `key` names; where the pool is full, else the longest unused one that
    /// was started the same way: it loads another model, which is cheaper than ending it to start another process.
    fn take(&self, key: &WorkerKey, launch: &Launch) -> Result<Option<Worker>, SubjectError> {
        let mut ended = Vec::new();
        let mut state = self.lock();
        if state.interrupted {
            return Err(SubjectError::Interrupted);
        }
        while let Some(at) = state.waiting(key, launch, self.max_idle) {
            let Some((_, worker)) = state.idle.remove(at) else { break };
            if worker.is_alive() {
                state.busy.push(Arc::clone(worker.process()));
                return Ok(Some(worker));
            }
            ended.push(worker);
        }
        drop(state);
        Ok(None)
    }

    fn start(&self, launch: &Launch) -> Result<Worker, SubjectError> {
        let mut started = None;
        let worker = Worker::spawn_seen(launch, READY_DEADLINE, |process| {
            started = Some(Arc::clone(process));
            let mut state = self.lock();
            state.busy.push(Arc::clone(process));
            if state.interrupted {
                process.kill();
            }
        });
        worker.map_err(|error| {
            let mut state = self.lock();
            started.iter().for_each(|process| state.release(process));
            if state.interrupted { SubjectError::Interrupted } else { error }
        })
    }

    /// Puts the request to `worker`, which counts as busy, and then the worker where it belongs.
    fn ask(
        &self,
        key: &WorkerKey,
        mut worker: Worker,
        request: &Request,
        deadline: Duration,
    ) -> Result<(Observation, Card), SubjectError> {
        let answer = worker.observe(request, deadline);
        let card = worker.card().clone();
        self.put_back(key, worker);
        let observation = answer?;
        let broken_off =
            matches!(observation.ending, Ending::Died { .. } | Ending::Hung { .. } | Ending::Garbled { .. });
        if broken_off && self.lock().interrupted {
            return Err(SubjectError::Interrupted);
        }
        Ok((observation, card))
    }

    /// Dropping a worker waits for its process, so that happens without the lock, and while it counts as busy.
    fn put_back(&self, key: &WorkerKey, worker: Worker) {
        let mut surplus = Vec::new();
        let mut state = self.lock();
        if state.interrupted || !key.is_reusable() || !worker.is_alive() {
            surplus.push(worker);
        } else {
            state.release(worker.process());
            state.idle.push_back((key.clone(), worker));
            while state.idle.len() > self.max_idle {
                surplus.extend(state.evict());
            }
        }
        drop(state);
        for worker in surplus {
            let process = Arc::clone(worker.process());
            drop(worker);
            self.lock().release(&process);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Which waiting worker should answer. Of those with the same key the latest, so that those that nobody needs
    /// grow old. A worker with limits is never shared.
    fn waiting(&self, key: &WorkerKey, launch: &Launch, max_idle: usize) -> Option<usize> {
        let same_launch = |(_, worker): &(WorkerKey, Worker)| worker.launch() == launch;
        let exact = self.idle.iter().rposition(|entry| entry.0 == *key && same_launch(entry));
        let full = self.idle.len() + self.busy.len() >= max_idle && key.is_reusable();
        exact.or_else(|| self.idle.iter().position(same_launch).filter(|_| full))
    }

    fn release(&mut self, process: &Arc<Process>) {
        self.busy.retain(|other| !Arc::ptr_eq(other, process));
    }

    /// Takes out the longest unused worker; it counts as busy until its process is gone.
    fn evict(&mut self) -> Option<Worker> {
        let (_, worker) = self.idle.pop_front()?;
        self.busy.push(Arc::clone(worker.process()));
        Some(worker)
    }
}
