//! What a probe says that llama.cpp allocates.

use std::time::Duration;

use anyhow::Result;
use judge::models::Model;
use judge::plan::Target;
use judge::subject::{READY_DEADLINE, Subject as _, Worker};
use wire::{
    Config, ContextConfig, Ending, Isolation, Limits, Load, LoadConfig, ModelSpec, Request, Stimulus, Weights,
};

use crate::commands::build;
use crate::context::Context;
use crate::exit::{Exit, OrExit as _};
use crate::flags::BackendFlags;

/// How long one load may take.
const DEADLINE: Duration = Duration::from_secs(120);

/// A probe that is asked for nothing else.
pub(super) struct Asked {
    target: Target,
    worker: Option<Worker>,
}

/// What one load came to.
pub(super) enum Memory {
    /// Bytes over all buffers.
    Allocated {
        /// The cache and states.
        context: u64,
        /// The compute buffers.
        compute: u64,
    },
    /// llama.cpp said no.
    Refused(String),
    /// It loaded, and its llama.cpp does not tell.
    Untold,
}

impl Asked {
    /// The probe of `backend`, built.
    pub(super) fn of(backend: &str, setup: bool, context: &Context) -> Result<Self> {
        let flags = BackendFlags { backend: vec![backend.to_owned()], llama_src: None, setup };
        let subjects = build::subjects(&flags, context)?;
        let [subject] = &subjects[..] else {
            return Err(Exit::Usage.error(format!("{backend} is not one backend; name one")));
        };
        Ok(Self { target: subject.target(&[]), worker: None })
    }

    /// Asks it one thing; a probe that died is started anew.
    pub(super) fn ask(&mut self, request: &Request) -> Result<Memory> {
        let worker = match self.worker.take().filter(Worker::is_alive) {
            Some(worker) => worker,
            None => Worker::spawn(&self.target.launch, READY_DEADLINE).or_exit(Exit::Broken)?,
        };
        let seen = self.worker.insert(worker).observe(request, DEADLINE).or_exit(Exit::Broken)?;
        let buffers = seen.load.map(|load| load.memory).unwrap_or_default();
        Ok(match seen.ending {
            Ending::Completed if buffers.is_empty() => Memory::Untold,
            Ending::Completed => Memory::Allocated {
                context: buffers.iter().map(|buffer| buffer.context).sum(),
                compute: buffers.iter().map(|buffer| buffer.compute).sum(),
            },
            Ending::Refused(refusal) => Memory::Refused(refusal.message),
            other => Memory::Refused(format!("{other:?}")),
        })
    }
}

/// Load the model, make a context, and say what both take; `no_alloc`: without allocating it.
pub(super) fn question(model: &Model, weights: Weights, no_alloc: bool, context: ContextConfig) -> Request {
    let path = model.path.to_string_lossy().into_owned();
    Request {
        id: 1,
        model: Some(ModelSpec { name: model.name.clone(), path }),
        adapter: None,
        config: Config {
            load: LoadConfig { weights, no_alloc, ..LoadConfig::default() },
            context,
            ..Config::default()
        },
        stimulus: Stimulus::Load(Load { context: true, context_config: None, memory: true }),
        limits: Limits::default(),
        forced_tokens: None,
        isolation: Isolation::Shared,
        watch: None,
    }
}
