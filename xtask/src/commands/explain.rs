//! `cargo xtask explain`: from a log, or the name of a finding, to what it means and what to do.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufReader, IsTerminal as _, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result};
use judge::case::{Case, load_cases};
use judge::explain::{Case as Reproduced, LogReport, explain_code, explain_log, nearest_code};
use judge::finding::{Code, entry};
use judge::models::Registry;
use judge::setup::Folders;
use serde::Serialize;

use super::asking::model_to_name;
use crate::context::Context;
use crate::exit::{Exit, OrExit as _};
use crate::flags::ExplainFlags;
use crate::table::Table;
use crate::wrap::{columns, wrapped};

/// Explains what the flags name. Fine whenever there was something to read.
pub(super) fn run(flags: &ExplainFlags, context: Option<&Context>) -> Result<Exit> {
    if flags.list {
        return list(flags.json, context);
    }
    if let Some(name) = &flags.code {
        let code = code(name)?;
        let cases = cases(context)?;
        let mut help = explain_code(code, &cases);
        if let Some(context) = context {
            help.cases
                .iter_mut()
                .try_for_each(|case| with_model(case.id, &mut case.command, &cases, context))?;
        }
        return show(&help, flags.json);
    }
    let mut report = read(flags.log.as_deref())?;
    if let Some(context) = context {
        let cases = cases(Some(context))?;
        let asked = |id: &str, command: &mut String| with_model(id, command, &cases, context);
        for finding in &mut report.findings {
            if let (Reproduced::Run(id), Some(command)) = (finding.case, &mut finding.command) {
                asked(id, command)?;
            }
        }
    }
    show(&report, flags.json)
}

/// All cases of the checkout; outside of one there are none to run.
fn cases(context: Option<&Context>) -> Result<Vec<Case>> {
    let Some(context) = context else { return Ok(Vec::new()) };
    load_cases(&Folders::of_workspace(context.workspace.root()).cases()).or_exit(Exit::Input)
}

/// Adds the model to the `command` of the case `id`, where no run asks it of its own accord.
fn with_model(id: &str, command: &mut String, cases: &[Case], context: &Context) -> Result<()> {
    let registry = Registry::read(&context.workspace.models_json()).or_exit(Exit::Input)?;
    let folders = Folders::of_workspace(context.workspace.root());
    let case = cases.iter().find(|case| case.id == id);
    let model = case.and_then(|case| model_to_name(&case.models, &registry, &folders));
    command.extend(model.map(|model| format!(" --model {model}")));
    Ok(())
}

/// The finding called `name`.
fn code(name: &str) -> Result<Code> {
    Code::ALL.iter().copied().find(|code| entry(*code).name == name).ok_or_else(|| {
        let guess = nearest_code(name).map(|code| format!("did you mean {code}? ")).unwrap_or_default();
        Exit::Usage.error(format!("no such finding: {name}; {guess}`cargo xtask explain --list` shows all"))
    })
}

/// Reads and explains the log at `path`, or standard input.
fn read(path: Option<&Path>) -> Result<LogReport> {
    match path.filter(|path| *path != Path::new("-")) {
        Some(path) => File::open(path)
            .and_then(|file| explain_log(BufReader::new(file)))
            .with_context(|| format!("{}: cannot read the log", path.display()))
            .or_exit(Exit::Input),
        None => {
            if io::stdin().is_terminal() {
                eprintln!("paste a log and end it with Ctrl-D; `--log FILE` reads a file");
            }
            explain_log(io::stdin().lock())
                .context("standard input: cannot read the log")
                .or_exit(Exit::Input)
        }
    }
}

fn list(json: bool, context: Option<&Context>) -> Result<Exit> {
    if json {
        let cases = cases(context)?;
        let all: Vec<_> = Code::ALL.iter().map(|code| explain_code(*code, &cases)).collect();
        return print(&pretty(&all)?);
    }
    let mut table = Table::new(&["finding", "layer", "what it is"]);
    for code in Code::ALL {
        let entry = entry(*code);
        table.row([entry.name.to_owned(), entry.layer.name().to_owned(), entry.title.clone()]);
    }
    print(&table.to_string())
}

fn show(help: &(impl Display + Serialize), json: bool) -> Result<Exit> {
    print(&if json { pretty(help)? } else { wrapped(&help.to_string(), columns()) })
}

fn pretty(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// Writes to standard output, of which a pager may read only the beginning.
fn print(text: &str) -> Result<Exit> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(Exit::Fine),
    }
}
