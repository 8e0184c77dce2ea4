//! `device judge`: files that came back, judged as everything else is.

use std::path::Path;

use anyhow::Result;
use device::{Collected, Sheet, collect, record};
use judge::subject::Recording;

use super::place::Place;
use crate::commands::judge as replay;
use crate::context::Context;
use crate::exit::{Exit, OrExit as _};
use crate::flags::{DeviceJudgeFlags, JudgeFlags};

/// How many of a kind are told one by one.
const TOLD: usize = 3;

/// Makes a recording of the answers and judges it.
pub(super) fn run(flags: &DeviceJudgeFlags, context: &Context) -> Result<Exit> {
    let place = Place::of(&flags.subject, context)?;
    let sheet = Sheet::read(flags.sheet.as_deref().unwrap_or(&place.sheet())).or_exit(Exit::Input)?;
    let folders = if flags.answers.is_empty() { vec![place.answers()] } else { flags.answers.clone() };
    if let Some(absent) = folders.iter().find(|folder| !folder.is_dir()) {
        let absent = absent.display();
        return Err(Exit::Input.error(format!("{absent} is no folder; name one that holds answers")));
    }
    let paths: Vec<&Path> = folders.iter().map(AsRef::as_ref).collect();
    let collected = collect(&sheet, &paths);
    tell(&collected);
    let reference = flags.reference.as_ref().map(Recording::open).transpose().or_exit(Exit::Input)?;
    let temporary = tempfile::tempdir()?;
    let dir = flags.record.clone().unwrap_or_else(|| temporary.path().join("recording"));
    record(&sheet, &collected, &dir, reference.as_ref()).or_exit(Exit::Input)?;
    let judged = JudgeFlags {
        recording: dir,
        filter: flags.filter.clone(),
        reports: flags.reports.clone(),
        // A phone makes no goldens.
        no_stage: true,
    };
    replay::run(&judged, context)
}

/// What is not judged, on standard error.
fn tell(collected: &Collected) {
    for aside in collected.aside.iter().take(TOLD) {
        eprintln!("left aside: {aside}");
    }
    if collected.aside.len() > TOLD {
        eprintln!("left aside: {} files more", collected.aside.len() - TOLD);
    }
    if !collected.open.is_empty() {
        eprintln!("{} questions have no answer; the first is {}", collected.open.len(), collected.open[0]);
    }
}
