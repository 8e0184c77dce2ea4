//! `cargo xtask report merge`: the parts of one run, told as one.

use std::io::IsTerminal as _;
use std::path::PathBuf;

use anyhow::Result;
use judge::report::{Console, merge, read_report};
use judge::session::{Event, Listener as _};
use judge::setup::Folders;

use crate::commands::verdicts::{Outputs, exit};
use crate::context::Context;
use crate::exit::{Exit, OrExit as _};
use crate::flags::ReportFlags;

/// Ends as the run would have ended; where parts are missing, what there is is told, and is no success.
pub(super) fn run(parts: &[PathBuf], reports: &ReportFlags, context: &Context) -> Result<Exit> {
    let folders = Folders::of_workspace(context.workspace.root());
    let mut outputs = Outputs::prepare(reports, &folders, parts)?;
    let read = |path: &PathBuf| Ok((path.clone(), read_report(path)?));
    let parts = parts.iter().map(read).collect::<Result<Vec<_>, judge::report::MergeError>>();
    let document = parts.and_then(merge).or_exit(Exit::Input)?;
    let summary = document.summary();
    Console::new(std::io::stdout(), std::io::stdout().is_terminal()).hear(Event::Finished(&summary))?;
    outputs.write(&document)?;
    match (&document.partition, exit(&summary)) {
        (Some(there), Exit::Fine) => Err(Exit::NothingRan
            .error(format!("only the parts {there} are here; pass the others too, or run them again"))),
        (_, exit) => Ok(exit),
    }
}
