//! Which requests can share a worker.

use wire::{Config, Limits, ModelSpec, Request};

/// What two requests must agree on to be asked of the same process: then it loads the model once.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WorkerKey {
    /// The subject's name.
    pub subject: String,
    /// The model, if one is needed.
    pub model: Option<ModelSpec>,
    /// How it is loaded and its context made.
    pub config: Config,
    /// What the process may use up.
    pub limits: Limits,
}

impl WorkerKey {
    /// The key of `request` when it is put to `subject`.
    pub fn of(subject: impl Into<String>, request: &Request) -> Self {
        Self {
            subject: subject.into(),
            model: request.model.clone(),
            config: request.config.clone(),
            limits: request.limits.clone(),
        }
    }

    /// Whether a worker may serve another request after this one: limits change a process for good.
    pub fn is_reusable(&self) -> bool {
        self.limits == Limits::default()
    }
}
