//! Runs the cases on what was built.

use std::io::IsTerminal as _;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use gguf::GgufFile;
use judge::built::SubjectFile;
use judge::models::Model;
use judge::plan::{Plan, Target};
use judge::report::{Console, JsonReport};
use judge::session::{Listener, RunOptions, SessionOptions, Summary, run};
use judge::setup::{Folders, Suite};

use super::interrupt;
use crate::context::Context;
use crate::exit::{Exit, OrExit as _};
use crate::flags::TestFlags;

/// Runs the cases that `flags` choose on `subjects`.
pub(super) fn run_cases(flags: &TestFlags, subjects: &[SubjectFile], context: &Context) -> Result<Exit> {
    let folders = Folders::of_workspace(context.workspace.root());
    let suite = Suite::read(&folders).or_exit(Exit::Input)?;
    let models = suite.models(&folders, &flags.model).or_exit(Exit::Input)?;
    models.iter().try_for_each(|model| readable(model))?;
    let targets: Vec<Arc<Target>> = subjects.iter().map(|subject| Arc::new(subject.target(&[]))).collect();
    let plan = suite.plan(&folders, &flags.model, &targets, &flags.filter).or_exit(Exit::Usage)?;
    if plan.items.is_empty() {
        return Err(nothing(flags, &suite, &plan));
    }
    if flags.list {
        plan.items.iter().for_each(|item| println!("{item}"));
        return Ok(Exit::Fine);
    }
    let jobs = jobs(flags.jobs);
    let options = SessionOptions {
        deadline: Duration::from_secs(flags.deadline.into()),
        idle_workers: jobs,
        retries: flags.retries,
    };
    let stage = !flags.no_stage && std::env::var_os("CI").is_none();
    let session = Arc::new(suite.session(&folders, options, stage));
    let stop = interrupt::watch(&session)?;
    let mut console = Console::new(std::io::stdout().lock(), std::io::stdout().is_terminal());
    let mut json = flags.json.as_ref().map(JsonReport::new);
    let mut listeners: Vec<&mut dyn Listener> = vec![&mut console];
    listeners.extend(json.as_mut().map(|json| json as &mut dyn Listener));
    let summary = run(&session, &plan, RunOptions { jobs }, &stop, &mut listeners)?;
    Ok(exit(&summary))
}

/// A model that is there and is a GGUF file.
fn readable(model: &Model) -> Result<()> {
    if !model.path.is_file() && model.listed {
        let name = &model.name;
        return Err(
            Exit::Input.error(format!("{name} is not here yet; run `cargo xtask models fetch {name}`"))
        );
    }
    GgufFile::open(Path::new(&model.path)).map(|_| ()).or_exit(Exit::Input)
}

fn nothing(flags: &TestFlags, suite: &Suite, plan: &Plan) -> anyhow::Error {
    if let Some(skipped) = plan.skipped.first() {
        return Exit::NothingRan.error(format!("nothing to run: {}", skipped.reason));
    }
    Exit::NothingRan.error(format!(
        "no case fits --filter {} with these models; there are {} cases, `cargo xtask test --list` shows their items",
        if flags.filter.is_empty() { "(none)".to_owned() } else { flags.filter.join(" ") },
        suite.cases.len()
    ))
}

/// One single-threaded worker a processor: ggml's threads spin, so more would only slow each other down.
fn jobs(wanted: Option<u16>) -> usize {
    wanted.map_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get), usize::from)
}

fn exit(summary: &Summary) -> Exit {
    let totals = &summary.totals;
    if summary.interrupted {
        Exit::Interrupted
    } else if totals.broken > 0 {
        Exit::Broken
    } else if totals.failed > 0 || !summary.stale.is_empty() {
        Exit::Verdicts
    } else if totals.ran() == 0 {
        Exit::NothingRan
    } else {
        Exit::Fine
    }
}
