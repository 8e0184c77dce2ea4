//! `device generate`: the Swift file with one test a case.

use anyhow::{Context as _, Result};
use device::swift_tests;
use judge::setup::{Folders, Suite};
use judge::whole;

use crate::context::Context;
use crate::exit::{Exit, OrExit as _};

/// Below the root.
const FILE: &str = "ios-runner/Xcode/Tests/Cases.swift";

/// Writes it anew.
pub(super) fn run(context: &Context) -> Result<Exit> {
    let suite = Suite::read(&Folders::of_workspace(context.workspace.root())).or_exit(Exit::Input)?;
    let text = swift_tests(suite.cases.iter().map(|case| case.id.as_str())).or_exit(Exit::Input)?;
    let file = context.workspace.root().join(FILE);
    whole::write(&file, text.as_bytes()).with_context(|| format!("cannot write {}", file.display()))?;
    println!("{}: {} tests", file.display(), suite.cases.len());
    Ok(Exit::Fine)
}
