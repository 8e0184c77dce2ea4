//! Runs the cases on what was built.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use judge::built::SubjectFile;
use judge::plan::{Origin, Plan, Target};
use judge::session::{Recorder, SessionOptions};
use judge::subject::{RecordedRun, Recording};

use super::input::Input;
use super::tracer::tracer;
use crate::commands::verdicts::{Reports, jobs, nothing, run_plan, stages_goldens};
use crate::exit::{Exit, OrExit as _};
use crate::flags::TestFlags;
use crate::table::Table;

/// Runs the cases that `flags` choose on `subjects`.
pub(super) fn run_cases(flags: &TestFlags, input: Input, subjects: &[SubjectFile]) -> Result<Exit> {
    let targets: Vec<Arc<Target>> = subjects.iter().map(|subject| Arc::new(target(subject, flags))).collect();
    if flags.trace && targets.len() < 2 {
        return Err(Exit::Usage.error(
            "--trace compares with another subject's graph, and there is one only; add one: --backend cpu-baseline,cpu",
        ));
    }
    let mut plan =
        input.suite.plan(&input.folders, &flags.model, &targets, &flags.filter).or_exit(Exit::Usage)?;
    if plan.items.is_empty() {
        return Err(nothing(&flags.filter, &input.suite, &plan));
    }
    if let Some(partition) = flags.partition {
        let all = plan.items.len();
        plan.keep(partition);
        if plan.items.is_empty() {
            let message = format!("part {partition} holds none of the {all} items; ask for fewer parts");
            return Err(Exit::NothingRan.error(message));
        }
    }
    if flags.list {
        print!("{}", list(&plan));
        return Ok(Exit::Fine);
    }
    if let Some(missed) = input.suite.floors.missed(&plan).first() {
        return Err(Exit::NothingRan.error(missed.clone()));
    }
    for target in targets.iter().filter(|target| target.name.starts_with("ios-sim")) {
        eprintln!("{}: wiring only, the simulator says nothing about answer quality", target.name);
    }
    let jobs = jobs(flags.jobs);
    let options = SessionOptions {
        deadline: Duration::from_secs(flags.deadline.into()),
        idle_workers: jobs,
        retries: flags.retries,
    };
    let recorder =
        flags.record.as_deref().map(|dir| record(dir, flags, &plan, &targets, &input)).transpose()?;
    let deadline = options.deadline;
    let session =
        input.suite.session(&input.folders, options, stages_goldens(flags.no_stage || is_foreign(flags)));
    let session = if flags.trace { session.trace_with(tracer(deadline)) } else { session };
    run_plan(session, &plan, jobs, Reports { outputs: input.outputs, recorder })
}

/// `subject`, and how it was asked for.
fn target(subject: &SubjectFile, flags: &TestFlags) -> Target {
    let is_it = |program: &&PathBuf| program.canonicalize().is_ok_and(|path| path == subject.path);
    let origin = match (flags.probe.iter().find(is_it), &flags.backends.llama_src) {
        (Some(program), _) => Origin::Carried(program.display().to_string()),
        (None, Some(dir)) => Origin::Source(dir.display().to_string()),
        (None, None) => Origin::Backend,
    };
    Target { origin, ..subject.target(&[]) }
}

/// What would be asked, by case, model and subject.
fn list(plan: &Plan) -> Table {
    let mut rows: Vec<[&str; 3]> =
        plan.items.iter().map(|item| [item.case.id.as_str(), item.model_name(), &item.target.name]).collect();
    rows.sort_unstable();
    let mut table = Table::new(&["case", "model", "subject"]);
    rows.into_iter().for_each(|row| table.row(row.map(str::to_owned)));
    table
}

/// Whether a subject may be of another llama.cpp than the pinned one, and so makes no goldens.
const fn is_foreign(flags: &TestFlags) -> bool {
    flags.backends.llama_src.is_some() || !flags.probe.is_empty()
}

/// Begins a recording of what `plan` asks.
fn record(
    dir: &Path,
    flags: &TestFlags,
    plan: &Plan,
    targets: &[Arc<Target>],
    input: &Input,
) -> Result<Recorder> {
    let run = RecordedRun {
        subjects: targets.iter().map(|target| (target.name.clone(), target.card.clone())).collect(),
        models: input.models.iter().map(|model| (**model).clone()).collect(),
        without_model: flags.model.is_empty(),
        complete: plan.complete,
        filters: flags.filter.clone(),
        partition: flags.partition,
    };
    Ok(Recorder::new(Recording::create(dir, run).or_exit(Exit::Input)?))
}
