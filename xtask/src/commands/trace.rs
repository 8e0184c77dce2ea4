//! `cargo xtask trace`: from a case that fails by numbers to the node that is wrong.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use judge::built::SubjectFile;
use judge::closest::did_you_mean;
use judge::faults::read_faults;
use judge::numbers::Tolerance;
use judge::plan::{Item, Target};
use judge::session::SessionOptions;
use judge::setup::{Folders, Suite};
use judge::subject::{READY_DEADLINE, Subject as _, SubjectError, Worker};
use judge::trace::{Question, Side, TraceError, TraceReport, trace};
use wire::{Capability, Observation, Request};

use crate::backend;
use crate::commands::{build, fixtures};
use crate::context::Context;
use crate::exit::{Exit, OrExit as _};
use crate::flags::{BackendFlags, TraceFlags};

/// Traces, prints what was found, and says by the exit code whether anything was.
pub(super) fn run(flags: &TraceFlags, context: &Context) -> Result<Exit> {
    let folders = Folders::of_workspace(context.workspace.root());
    let suite = Suite::read(&folders).or_exit(Exit::Input)?;
    case_exists(&suite, &flags.case)?;
    flags.fault.as_deref().map_or(Ok(()), |fault| fault_exists(&folders, fault))?;
    let (ours, reference) = subjects(flags, context)?;
    let ours = Target { name: named(&ours.name, flags.llama_src.as_deref()), ..ours };
    let item = item(flags, &suite, &folders, Arc::new(ours))?;
    fixtures::write_those(&item.model.iter().cloned().collect::<Vec<_>>(), context)?;
    let session = suite.session(&folders, SessionOptions::default(), false);
    let deadline = Duration::from_secs(flags.deadline.into());
    let fault = flags.fault.as_deref();
    let report = compared(&item, &reference, session.tolerance(&item), fault, deadline).map_err(failure)?;
    if flags.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{report}");
    }
    Ok(if report.outcome.is_fine() { Exit::Fine } else { Exit::Verdicts })
}

/// What a trace of `item`'s answer against that of `reference` finds.
///
/// # Errors
/// When one of them does not show its graph.
pub(super) fn compared(
    item: &Item,
    reference: &Target,
    tolerance: &Tolerance,
    fault: Option<&str>,
    deadline: Duration,
) -> Result<TraceReport, TraceError> {
    let question = Question {
        request: item.request(1, None),
        tolerance: tolerance.clone(),
        case: item.case.id.clone(),
        model: item.model_name().to_owned(),
        subject: item.target.name.clone(),
        fault: fault.map(str::to_owned),
        reference: reference.name.clone(),
    };
    let mut pair = [Asked::new(&item.target, deadline), Asked::new(reference, deadline)];
    trace(&question, &mut |side, request| match side {
        Side::Ours => pair[0].ask(request),
        Side::Reference => pair[1].ask(request),
    })
}

fn case_exists(suite: &Suite, case: &str) -> Result<()> {
    if suite.cases.iter().any(|known| known.id == case) {
        return Ok(());
    }
    let guess = did_you_mean(case, suite.cases.iter().map(|case| case.id.as_str()));
    Err(Exit::Usage.error(format!("no case is called {case}{guess}; `cargo xtask test --list` shows all")))
}

fn fault_exists(folders: &Folders, fault: &str) -> Result<()> {
    let entries = read_faults(&folders.cases().join("faults.json")).or_exit(Exit::Input)?;
    if entries.iter().any(|entry| entry.fault == fault) {
        return Ok(());
    }
    Err(Exit::Usage.error(format!("no fault is called {fault}; cases/faults.json lists them")))
}

/// Both probes, built and fresh.
fn subjects(flags: &TraceFlags, context: &Context) -> Result<(Target, Target)> {
    let ours = subject(&flags.backend, flags.llama_src.clone(), flags.setup, context)?;
    let reference = subject(&flags.reference, None, flags.setup, context)?;
    let args: Vec<&str> = flags.fault.as_ref().map_or_else(Vec::new, |fault| vec!["--fault", fault.as_str()]);
    let (ours, reference) = (ours.target(&args), reference.target(&[]));
    let blind =
        [&ours, &reference].into_iter().find(|one| !one.card.capabilities.contains(&Capability::Trace));
    if let Some(blind) = blind {
        return Err(Exit::Missing.error(format!("{} cannot show its graph", blind.name)));
    }
    Ok((ours, reference))
}

/// What the traced subject is called: with another llama.cpp, by that one's folder too.
fn named(backend: &str, llama_src: Option<&Path>) -> String {
    let folder = llama_src.and_then(|dir| dir.canonicalize().ok());
    match folder.as_deref().and_then(Path::file_name) {
        Some(folder) => format!("{backend}@{}", folder.to_string_lossy()),
        None => backend.to_owned(),
    }
}

/// The probe of a backend, built and fresh, or one from elsewhere, whose path has a slash.
fn subject(name: &str, llama_src: Option<PathBuf>, setup: bool, context: &Context) -> Result<SubjectFile> {
    if name.contains('/') {
        if llama_src.is_some() {
            return Err(
                Exit::Usage.error(format!("{name} is built already; --llama-src needs a backend's name"))
            );
        }
        return backend::carried(Path::new(name), &context.machine);
    }
    let flags = BackendFlags { backend: vec![name.to_owned()], llama_src, setup };
    let one = <[SubjectFile; 1]>::try_from(build::subjects(&flags, context)?);
    one.map(|[one]| one).map_err(|_| Exit::Usage.error(format!("{name} is not one backend; name one")))
}

/// The one question that is asked.
fn item(flags: &TraceFlags, suite: &Suite, folders: &Folders, target: Arc<Target>) -> Result<Item> {
    let names: Vec<String> = flags.model.iter().cloned().collect();
    let filter = [flags.case.clone()];
    let mut items = suite.plan(folders, &names, &[target], &filter).or_exit(Exit::Usage)?.items;
    items.retain(|item| item.case.id == flags.case);
    let models: Vec<&str> = items.iter().map(Item::model_name).collect();
    if models.len() > 1 {
        let models = models.join(", ");
        return Err(
            Exit::Usage.error(format!("{} asks several models; name one with --model: {models}", flags.case))
        );
    }
    let item = items.pop().ok_or_else(|| {
        Exit::Usage.error(format!(
            "{} asks no model that was named or is a fixture; name one with --model",
            flags.case
        ))
    })?;
    let missing = |path: &Path| !path.starts_with(folders.places().fixtures) && !path.is_file();
    match item.model.as_ref().filter(|model| missing(&model.path)) {
        Some(model) => Err(Exit::Input
            .error(format!("{} is not here yet; run `cargo xtask models fetch {}`", model.name, model.name))),
        None => Ok(item),
    }
}

/// A subject that is started when it is needed, and anew when it has ended.
struct Asked<'a> {
    target: &'a Target,
    deadline: Duration,
    worker: Option<Worker>,
}

impl<'a> Asked<'a> {
    const fn new(target: &'a Target, deadline: Duration) -> Self {
        Self { target, deadline, worker: None }
    }

    fn ask(&mut self, request: &Request) -> Result<Observation, SubjectError> {
        let worker = match self.worker.take().filter(Worker::is_alive) {
            Some(worker) => worker,
            None => Worker::spawn(&self.target.launch, READY_DEADLINE)?,
        };
        self.worker.insert(worker).observe(request, self.deadline)
    }
}

fn failure(error: TraceError) -> anyhow::Error {
    let exit = match error {
        TraceError::NothingComputed(_) | TraceError::NothingToCompare => Exit::Usage,
        TraceError::Subject(_) => Exit::Broken,
        TraceError::NoAnswer { .. } | TraceError::NoGraph { .. } => Exit::Verdicts,
    };
    Err::<(), _>(error).or_exit(exit).unwrap_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_llama_cpp_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("b9986");
        std::fs::create_dir(&dir).unwrap();
        assert_eq!(named("cpu", Some(&dir)), "cpu@b9986");
        assert_eq!(named("cpu", None), "cpu");
    }
}
