//! Measures, prints, and writes the measurements for programs.

use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use judge::built::SubjectFile;
use judge::calibrate::{Calibration, CalibrationInput, calibrate, is_numeric};
use judge::faults::read_faults;
use judge::plan::Target;
use judge::session::SessionOptions;
use judge::setup::{Folders, Suite};

use super::text::text;
use crate::commands::verdicts::{jobs, refused};
use crate::commands::{build, fixtures};
use crate::context::Context;
use crate::exit::{Exit, OrExit as _};
use crate::flags::{BackendFlags, CalibrateFlags};
use crate::json_file::JsonFile;

/// `cargo xtask calibrate`
pub(in crate::commands) fn run(flags: &CalibrateFlags, context: &Context) -> Result<Exit> {
    let folders = Folders::of_workspace(context.workspace.root());
    let suite = Suite::read(&folders).or_exit(Exit::Input)?;
    let faults = read_faults(&folders.cases().join("faults.json")).or_exit(Exit::Input)?;
    let models = suite.models(&folders, &flags.model).map_err(refused)?;
    let json = JsonFile::create(flags.json.as_deref())?;
    let backends = BackendFlags { backend: flags.backend.clone(), llama_src: None, setup: flags.setup };
    let subjects = build::subjects(&backends, context)?;
    fixtures::write_those(&models, context)?;
    fixtures::write_those(&suite.companions(&folders, &models), context)?;
    let targets: Vec<Arc<Target>> = subjects.iter().map(|subject| Arc::new(subject.target(&[]))).collect();
    let mut plan = suite.plan(&folders, &flags.model, &targets, &flags.filter).or_exit(Exit::Usage)?;
    plan.items.retain(is_numeric);
    plan.items.sort_by(|a, b| a.target.name.cmp(&b.target.name));
    if plan.items.is_empty() {
        return Err(
            Exit::NothingRan.error("no case of these compares numbers; leave out --filter and --model")
        );
    }
    let (start, jobs) = (Instant::now(), jobs(flags.jobs));
    // More than there are jobs: a faulty subject is asked on one thread, and is met again there.
    let options = SessionOptions { idle_workers: 4 * jobs, ..SessionOptions::default() };
    let input = CalibrationInput {
        items: &plan.items,
        session: &suite.session(&folders, options, false),
        seeds: flags.seeds as usize,
        jobs,
        faults: &faults,
        faulty: &|target, fault| faulty(&subjects, target, fault),
    };
    let rows = calibrate(&input).or_exit(Exit::Broken)?;
    let seconds = start.elapsed().as_secs_f64();
    let calibration =
        Calibration { version: Calibration::VERSION, rows, seeds: flags.seeds as usize, seconds };
    json.map_or(Ok(()), |json| json.write(&calibration))?;
    print!("{}", text(&calibration));
    let stated = calibration.rows.iter().all(judge::calibrate::Row::states_its_gaps);
    Ok(if stated { Exit::Fine } else { Exit::Verdicts })
}

/// The subject of `target` under `fault`.
fn faulty(subjects: &[SubjectFile], target: &Target, fault: &str) -> Target {
    let name = format!("{} + {fault}", target.name);
    let subject = subjects.iter().find(|subject| subject.backend == target.name);
    subject.map_or_else(|| target.clone(), |subject| Target { name, ..subject.target(&["--fault", fault]) })
}
