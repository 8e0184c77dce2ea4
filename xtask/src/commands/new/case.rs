//! `cargo xtask new case`: a case file that can be asked at once.

use std::collections::BTreeSet;
use std::fs;
use std::io::{IsTerminal as _, stdin, stdout};
use std::path::Path;

use anyhow::{Context as _, Result};
use judge::case::Case;
use judge::closest::did_you_mean;
use judge::models::Registry;
use judge::setup::Folders;
use judge::whole;

use crate::commands::asking::model_to_name;
use crate::context::Context;
use crate::exit::{Exit, OrExit as _};
use crate::flags::NewCaseFlags;
use crate::new_case::{Draft, ask, name_problem};

/// Writes the case that `flags` and answers at the terminal describe, and says what to do next.
pub(super) fn run(flags: &NewCaseFlags, context: &Context) -> Result<Exit> {
    let folders = Folders::of_workspace(context.workspace.root());
    let id = &flags.id;
    let shown = format!("cases/{id}.json");
    let path = context.workspace.root().join(&shown);
    if let Some(problem) = name_problem(id) {
        return Err(Exit::Usage.error(format!("\"{id}\" is no name of a case: {problem}")));
    }
    if path.symlink_metadata().is_ok() {
        return Err(Exit::Usage.error(format!("{shown} is there already; edit it, or choose another name")));
    }
    let registry = Registry::read(&context.workspace.models_json()).or_exit(Exit::Input)?;
    let mut flags = flags.clone();
    if stdin().is_terminal() && stdout().is_terminal() {
        ask(&mut flags, &mut stdin().lock(), &mut stdout())
            .context("the terminal is gone")
            .or_exit(Exit::Usage)?;
    }
    let draft = Draft::of(flags).map_err(|problem| Exit::Usage.error(problem))?;
    let models = draft.models();
    models.iter().try_for_each(|selector| means_something(selector, &registry, &folders))?;
    let note = new_family(id, &folders);
    write(&draft, &path, &folders)?;
    println!("{shown}\n{}", next(&draft, id, &registry, &folders));
    note.into_iter().for_each(|note| println!("  note:         {note}"));
    Ok(Exit::Fine)
}

fn means_something(selector: &str, registry: &Registry, folders: &Folders) -> Result<()> {
    let models = registry.all(&folders.places());
    if models.iter().any(|model| model.matches(selector)) {
        return Ok(());
    }
    let guess = did_you_mean(selector, models.iter().map(|model| model.name.as_str()));
    Err(Exit::Usage.error(format!(
        "--model {selector} fits no model of cases/models.json{guess}; `cargo xtask models list` shows them"
    )))
}

/// Writes it, whole or not at all, once it is known to be a case.
fn write(draft: &Draft, path: &Path, folders: &Folders) -> Result<()> {
    let text = format!("{}\n", serde_json::to_string_pretty(&draft.to_json())?);
    Case::parse(&folders.cases(), path, &text).or_exit(Exit::Usage)?;
    let written =
        fs::create_dir_all(whole::folder(path)).and_then(|()| whole::write_new(path, text.as_bytes()));
    written.with_context(|| format!("cannot write {}", path.display())).or_exit(Exit::Input)
}

/// What to say where `id` begins a family, since that may be a slip.
fn new_family(id: &str, folders: &Folders) -> Option<String> {
    let family = id.split('/').next().unwrap_or_default();
    if folders.cases().join(family).exists() {
        return None;
    }
    let entries = fs::read_dir(folders.cases()).into_iter().flatten().flatten();
    let names = entries.filter(|entry| entry.path().is_dir()).map(|entry| entry.file_name());
    let others: BTreeSet<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    let others = others.iter().map(String::as_str).filter(|name| *name != "known").collect::<Vec<_>>();
    Some(format!("{family} is a new family; there were {}", others.join(", ")))
}

/// What to do with it.
fn next(draft: &Draft, id: &str, registry: &Registry, folders: &Folders) -> String {
    let models: Vec<String> = draft.models().into_iter().map(str::to_owned).collect();
    let model =
        model_to_name(&models, registry, folders).map(|name| format!(" --model {name}")).unwrap_or_default();
    let test = "cargo xtask test";
    let mut lines = vec![format!("  ask it:       {test}{model} --filter {id}")];
    if draft.has_golden() {
        let golden = format!("{test} --backend cpu-baseline{model} --filter {id}");
        lines.insert(0, format!("  its golden:   {golden}\n                cargo xtask review {id}"));
    }
    lines.push(format!("  work on it:   {test}{model} --watch {id}"));
    lines.push("  see it fail:  change what it demands, and read what is said then".to_owned());
    lines.push("  say more:     docs/writing-cases.md; every field: docs/cases.md".to_owned());
    lines.join("\n")
}
