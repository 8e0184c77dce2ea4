//! Everything that a person can get wrong, looked at before anything is built or written.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use gguf::GgufFile;
use gguf::fixtures::by_name;
use judge::models::{Model, Registry};
use judge::plan::Plan;
use judge::setup::{Folders, Suite};
use judge::subject::Recording;

use crate::commands::verdicts::{Outputs, nothing, refused};
use crate::context::Context;
use crate::exit::{Exit, OrExit as _};
use crate::flags::TestFlags;
use crate::models::{self, Cache, ModelFile};

/// What a run is made of.
pub(super) struct Input {
    pub(super) folders: Folders,
    pub(super) suite: Suite,
    pub(super) models: Vec<Arc<Model>>,
    pub(super) outputs: Outputs,
}

impl Input {
    /// Reads the case files, finds the models, and makes sure that what is asked for can be written.
    pub(super) fn read(flags: &TestFlags, context: &Context) -> Result<Self> {
        let folders = Folders::of_workspace(context.workspace.root());
        let suite = Suite::read(&folders).or_exit(Exit::Input)?;
        let models = suite.models(&folders, &flags.model).map_err(refused)?;
        models.iter().try_for_each(|model| readable(model, &suite.registry, context))?;
        if !suite.asks_anything(&folders, &flags.model, &flags.filter).map_err(refused)? {
            return Err(nothing(&flags.filter, &suite, &Plan::default()));
        }
        let read: Vec<PathBuf> = models.iter().map(|model| model.path.clone()).collect();
        let outputs = Outputs::prepare(&flags.reports, &folders, &read)?;
        flags.record.as_deref().map_or(Ok(()), Recording::refuse_used).or_exit(Exit::Input)?;
        Ok(Self { folders, suite, models, outputs })
    }
}

/// A model that is what it should be and a GGUF file, or a fixture that will be.
fn readable(model: &Model, registry: &Registry, context: &Context) -> Result<()> {
    let name = &model.name;
    if model.listed && model.path.starts_with(context.workspace.fixtures()) {
        let fixture = by_name(name).ok_or_else(|| {
            Exit::Input.error(format!("models.json lists the fixture {name}, but nothing makes it"))
        })?;
        let on_demand = registry.get(name).is_some_and(|entry| entry.on_demand);
        let room = || models::ensure_room(fixture.info(), &context.workspace.fixtures());
        return if on_demand { room() } else { Ok(()) };
    }
    if model.listed && !model.path.is_file() {
        return Err(
            Exit::Input.error(format!("{name} is not here yet; run `cargo xtask models fetch {name}`"))
        );
    }
    let cache = Cache::new(&context.machine, &context.workspace)?;
    if let Some(file) = ModelFile::of(model, registry, &cache)? {
        models::look(&file)?;
    }
    GgufFile::open(&model.path).map(|_| ()).or_exit(Exit::Input)
}
