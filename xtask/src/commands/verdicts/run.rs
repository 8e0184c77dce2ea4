//! Runs a plan and tells everybody who listens.

use std::collections::BTreeSet;
use std::io::IsTerminal as _;
use std::num::NonZero;
use std::sync::Arc;

use anyhow::Result;
use judge::case::Case;
use judge::closest::{closest, did_you_mean};
use judge::plan::Plan;
use judge::report::Console;
use judge::session::{Listener, Recorder, RunOptions, Session, Summary, run};
use judge::setup::Suite;

use super::{Outputs, interrupt};
use crate::exit::Exit;

/// Who listens besides the person at the terminal.
#[derive(Default)]
pub(in crate::commands) struct Reports {
    /// Reports in files, and GitHub's.
    pub(in crate::commands) outputs: Outputs,
    /// A recording of all answers.
    pub(in crate::commands) recorder: Option<Recorder>,
}

/// Judges every item of `plan`.
pub(in crate::commands) fn run_plan(
    session: Session,
    plan: &Plan,
    jobs: usize,
    mut reports: Reports,
) -> Result<Exit> {
    let session = Arc::new(session);
    let stop = interrupt::watch(&session)?;
    // Not locked: GitHub's commands go to the same place.
    let mut console = Console::new(std::io::stdout(), std::io::stdout().is_terminal());
    let mut listeners: Vec<&mut dyn Listener> = vec![&mut console];
    // First: what was not kept is not told.
    listeners.splice(0..0, reports.recorder.as_mut().map(|recorder| recorder as &mut dyn Listener));
    listeners.extend(reports.outputs.listeners());
    let summary = run(&session, plan, RunOptions { jobs }, &stop, &mut listeners)?;
    Ok(exit(&summary))
}

/// Why `plan` asks nothing, as an error.
pub(in crate::commands) fn nothing(filters: &[String], suite: &Suite, plan: &Plan) -> anyhow::Error {
    if let Some(skipped) = plan.skipped.first() {
        return Exit::NothingRan.error(format!("nothing to run: {}", skipped.reason));
    }
    if let Some(case) = only_for_other_models(filters, suite) {
        let models = case.models.join(", ");
        return Exit::NothingRan.error(format!(
            "{} asks {models}, which this run does not; `cargo xtask models list` shows all models, and --model names one",
            case.id
        ));
    }
    let guess = filters.first().map_or_else(String::new, |filter| meant(filter, suite));
    Exit::NothingRan.error(format!(
        "no case fits --filter {} with these models{guess}; there are {} cases, `cargo xtask test --list` shows their \
         items",
        if filters.is_empty() { "(none)".to_owned() } else { filters.join(" ") },
        suite.cases.len()
    ))
}

/// The case that somebody means who names it, where it is there and this run cannot ask it.
fn only_for_other_models<'a>(filters: &[String], suite: &'a Suite) -> Option<&'a Case> {
    let [filter] = filters else { return None };
    suite.cases.iter().map(|case| &**case).find(|case| case.id == *filter && !case.models.is_empty())
}

/// What somebody may have meant by `filter`, in words: the cases of a family, or one case.
fn meant(filter: &str, suite: &Suite) -> String {
    let families: BTreeSet<&str> = suite.cases.iter().map(|case| case.family()).collect();
    let family = filter.split('/').next().unwrap_or_default().trim_matches('*');
    match (filter.split_once('/'), closest(family, families)) {
        (None | Some((_, "" | "*")), Some(family)) => format!(" (did you mean '{family}/*'?)"),
        _ => did_you_mean(filter, suite.cases.iter().map(|case| case.id.as_str())),
    }
}

/// One single-threaded worker a processor: ggml's threads spin, so more would only slow each other down.
pub(in crate::commands) fn jobs(wanted: Option<u16>) -> usize {
    wanted.map_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get), usize::from)
}

/// How a command ends whose run ended so.
pub(in crate::commands) fn exit(summary: &Summary) -> Exit {
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
