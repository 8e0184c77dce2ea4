//! `cargo xtask fixtures` and `models make`: files that are made, not fetched.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use gguf::fixtures::{FixtureInfo, all, by_name};
use judge::models::{Model, ModelKind, Registry};

use crate::context::Context;
use crate::exit::Exit;
use crate::models;
use crate::progress;

/// Writes all fixtures and lists them.
pub(super) fn run(context: &Context) -> Result<Exit> {
    for info in all() {
        println!("{}", write(info, context)?.display());
    }
    Ok(Exit::Fine)
}

/// Writes those fixtures among `models` that are not there as they should be.
pub(super) fn write_those(models: &[Arc<Model>], context: &Context) -> Result<()> {
    let folder = context.workspace.fixtures();
    let wanted = |info: &&FixtureInfo| {
        models.iter().any(|model| model.path.parent() == Some(&folder) && model.name == info.name)
    };
    all().iter().filter(wanted).try_for_each(|info| write(info, context).map(|_| ()))
}

/// Writes the fixture `name`.
pub(super) fn make(name: &str, registry: &Registry, context: &Context) -> Result<Exit> {
    let model = models::entry(registry, name)?;
    if model.kind != ModelKind::Fixture {
        return Err(
            Exit::Usage.error(format!("{name} is fetched, not made: `cargo xtask models fetch {name}`"))
        );
    }
    let info = all().iter().find(|info| info.name == name).ok_or_else(|| {
        let known: Vec<_> = all().iter().map(|info| info.name.as_str()).collect();
        Exit::Input
            .error(format!("models.json lists the fixture {name:?}, but known are: {}", known.join(", ")))
    })?;
    let path = write(info, context)?;
    println!("{} ({}): {}", path.display(), progress::size(info.bytes), info.description);
    Ok(Exit::Fine)
}

fn write(info: &FixtureInfo, context: &Context) -> Result<PathBuf> {
    let folder = context.workspace.fixtures();
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let fixture = by_name(&info.name)
        .with_context(|| format!("fixtures.json lists {:?}, but nothing builds it", info.name))?;
    Ok(fixture.write_to(&folder)?)
}
