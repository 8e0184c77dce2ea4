//! `cargo xtask test --watch CASE`: asks one case again whenever its answer may have changed.

use std::path::PathBuf;

use anyhow::Result;
use judge::causes::{in_one_line, visible};
use judge::setup::Folders;

use super::prepare::ready;
use super::run::run_cases;
use crate::context::Context;
use crate::exit::{Exit, OrExit as _};
use crate::flags::TestFlags;
use crate::watch::Watch;

/// Runs `case`, and again after every change of its file, its goldens, the numbers that it is judged by, or a probe. It
/// ends with Ctrl-C, or where the first run cannot begin.
pub(super) fn watch(case: &str, flags: &TestFlags, context: &Context) -> Result<Exit> {
    let flags = TestFlags { filter: vec![case.to_owned()], ..flags.clone() };
    let folders = Folders::of_workspace(context.workspace.root());
    let id = case.split('@').next().unwrap_or_default();
    // Before anything is read, so that no change is missed.
    let mut watch = Watch::new(files(id, &folders), &folders.golden(), &golden(id)).or_exit(Exit::Broken)?;
    let (input, subjects) = ready(&flags, context)?;
    watch.add(subjects.iter().map(|subject| subject.path.clone())).or_exit(Exit::Broken)?;
    let mut exit = run_cases(&flags, input, &subjects)?;
    while exit != Exit::Interrupted {
        println!("\nwatching {case}; Ctrl-C ends it");
        let changed = watch.changed().or_exit(Exit::Broken)?;
        let shown = changed.strip_prefix(context.workspace.root()).unwrap_or(&changed);
        println!("\nchanged: {}", shown.display());
        exit = again(&flags, context);
    }
    Ok(exit)
}

/// One more run. What is wrong with it is told, and may be mended by the next change.
fn again(flags: &TestFlags, context: &Context) -> Exit {
    let run = ready(flags, context).and_then(|(input, subjects)| run_cases(flags, input, &subjects));
    run.unwrap_or_else(|error| {
        eprintln!("error: {}", visible(&in_one_line(error.as_ref())));
        Exit::of(&error)
    })
}

fn files(id: &str, folders: &Folders) -> Vec<PathBuf> {
    let names = [format!("{id}.json"), "models.json".to_owned(), "tolerances.json".to_owned()];
    names.iter().map(|name| folders.cases().join(name)).collect()
}

/// The file name of a golden, which each model has in its own folder.
fn golden(id: &str) -> String {
    format!("{}.snap", id.replace('/', "__"))
}
