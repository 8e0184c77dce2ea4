//! `cargo xtask fixtures` and `models make`: files that are made, not fetched.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use gguf::fixtures::{FixtureInfo, all, by_name};
use judge::models::{Model, ModelKind, Registry};
use judge::whole::UNFINISHED;

use crate::context::Context;
use crate::exit::Exit;
use crate::models;
use crate::progress;

/// Writes all fixtures but those that are made on demand, and lists them.
pub(super) fn run(context: &Context) -> Result<Exit> {
    let registry = models::read(&context.workspace)?;
    let on_demand = |info: &&FixtureInfo| registry.get(&info.name).is_some_and(|entry| entry.on_demand);
    let wanted: Vec<_> = all().iter().filter(|info| !on_demand(info)).collect();
    for path in write(&wanted, context)? {
        println!("{}", path.display());
    }
    Ok(Exit::Fine)
}

/// Writes those fixtures among `models` that are not there as they should be.
pub(super) fn write_those(models: &[Arc<Model>], context: &Context) -> Result<()> {
    let folder = context.workspace.fixtures();
    let wanted = |info: &&FixtureInfo| {
        models.iter().any(|model| model.path.parent() == Some(&folder) && model.name == info.name)
    };
    let wanted: Vec<_> = all().iter().filter(wanted).collect();
    if wanted.is_empty() { Ok(()) } else { write(&wanted, context).map(drop) }
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
    if model.on_demand {
        models::ensure_room(info, &context.workspace.fixtures())?;
    }
    for path in write(&[info], context)? {
        println!("{} ({}): {}", path.display(), progress::size(info.bytes), info.description);
    }
    Ok(Exit::Fine)
}

/// Writes `fixtures` and returns their paths. One process at a time: so what is unfinished there is a killed one's.
fn write(fixtures: &[&FixtureInfo], context: &Context) -> Result<Vec<PathBuf>> {
    let folder = context.workspace.fixtures();
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let lock = File::open(&folder).and_then(|folder| folder.lock().map(|()| folder));
    let _lock = lock.with_context(|| format!("cannot lock {}", folder.display()))?;
    clear(&folder);
    fixtures.iter().map(|info| write_one(info, &folder)).collect()
}

fn write_one(info: &FixtureInfo, folder: &Path) -> Result<PathBuf> {
    let fixture = by_name(&info.name)
        .with_context(|| format!("fixtures.json lists {:?}, but nothing builds it", info.name))?;
    Ok(fixture.write_to(folder)?)
}

/// Removes what a killed process left unfinished. It only wastes space: no error.
fn clear(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(UNFINISHED) && name.ends_with(".gguf") {
            let _ = fs::remove_file(entry.path());
        }
    }
}
