//! `cargo xtask judge`: verdicts over a recording, with the cases, goldens and tolerances of this checkout.

use anyhow::Result;
use judge::setup::{Folders, Suite};
use judge::subject::Recording;

use super::verdicts::{Outputs, Reports, jobs, nothing, refused, run_plan, stages_goldens};
use crate::context::Context;
use crate::exit::{Exit, OrExit as _};
use crate::flags::JudgeFlags;

/// Reads the recording and judges it. Starts nothing and builds nothing.
pub(super) fn run(flags: &JudgeFlags, context: &Context) -> Result<Exit> {
    let folders = Folders::of_workspace(context.workspace.root());
    let suite = Suite::read(&folders).or_exit(Exit::Input)?;
    let recording = Recording::open(&flags.recording).or_exit(Exit::Input)?;
    let outputs = Outputs::prepare(&flags.reports, &folders, std::slice::from_ref(&flags.recording))?;
    let stage = stages_goldens(flags.no_stage);
    let replayed = suite.replay(&folders, &recording, &flags.filter, stage).map_err(refused)?;
    for name in &replayed.unknown {
        eprintln!("not judged: {name} was recorded, and no case here asks it");
    }
    if replayed.plan.items.is_empty() {
        return Err(nothing(&flags.filter, &suite, &replayed.plan));
    }
    let exit = run_plan(replayed.session, &replayed.plan, jobs(None), Reports { outputs, recorder: None })?;
    // After the verdicts: what there is of a run that was broken off is worth reading, and no success.
    match suite.floors.missed(&replayed.plan).first() {
        Some(missed) if exit == Exit::Fine => Err(Exit::NothingRan.error(missed.clone())),
        _ => Ok(exit),
    }
}
