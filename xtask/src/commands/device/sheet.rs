//! `device sheet`: the questions as one file.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use device::{Sheet, ToAsk, assumed_card};
use judge::plan::Target;
use judge::setup::{Folders, Suite};
use judge::subject::Recording;
use judge::whole;

use super::place::Place;
use crate::commands::fixtures;
use crate::commands::verdicts::{nothing, refused};
use crate::context::Context;
use crate::exit::{Exit, OrExit as _};
use crate::flags::SheetFlags;
use crate::progress;

/// Writes the sheet, and the fixtures that it needs.
pub(super) fn run(flags: &SheetFlags, context: &Context) -> Result<Exit> {
    let (sheet, _) = make(flags, context)?;
    let file = match &flags.out {
        Some(file) => file.clone(),
        None => Place::of(&flags.subject, context)?.sheet(),
    };
    write(&sheet, &file)?;
    let bytes: u64 = sheet.models.iter().map(|model| model.bytes).sum();
    println!(
        "{}: questions: {}, model files: {} of {}, for {}",
        file.display(),
        sheet.questions.len(),
        sheet.models.len(),
        progress::size(bytes),
        sheet.subject
    );
    Ok(Exit::Fine)
}

/// The sheet, and where its models lie.
pub(super) fn make(flags: &SheetFlags, context: &Context) -> Result<(Sheet, Vec<PathBuf>)> {
    Place::of(&flags.subject, context)?;
    let folders = Folders::of_workspace(context.workspace.root());
    let suite = Suite::read(&folders).or_exit(Exit::Input)?;
    let models = suite.models(&folders, &flags.model).map_err(refused)?;
    let companions = suite.companions(&folders, &models);
    let reference = flags.reference.as_ref().map(Recording::open).transpose().or_exit(Exit::Input)?;
    let mut targets = vec![Arc::new(Target::recorded(flags.subject.clone(), assumed_card(&flags.subject)))];
    let mut recorded = Vec::new();
    if let Some(reference) = &reference {
        let others = reference.run().subjects.iter().filter(|(name, _)| *name != flags.subject);
        targets.extend(others.map(|(name, card)| Arc::new(Target::recorded(name.clone(), card.clone()))));
        recorded = reference.items().or_exit(Exit::Input)?;
    }
    let plan = suite.plan(&folders, &flags.model, &targets, &flags.filter).map_err(refused)?;
    if !plan.items.iter().any(|item| item.target.name == flags.subject) {
        return Err(nothing(&flags.filter, &suite, &plan));
    }
    fixtures::write_those(&models, context)?;
    fixtures::write_those(&companions, context)?;
    let session = suite.replay_session(&folders, recorded, false);
    let (subject, without_model) = (flags.subject.as_str(), flags.model.is_empty());
    let sheet = ToAsk { subject, plan: &plan, session: &session, models: &models, without_model }.sheet();
    let paths = models.iter().chain(&companions).map(|model| model.path.clone()).collect();
    Ok((sheet.or_exit(Exit::Input)?, paths))
}

/// Writes it whole.
pub(super) fn write(sheet: &Sheet, file: &std::path::Path) -> Result<()> {
    let cannot = || format!("cannot write {}", file.display());
    std::fs::create_dir_all(whole::folder(file)).with_context(cannot).or_exit(Exit::Input)?;
    whole::write(file, sheet.to_text().as_bytes()).with_context(cannot).or_exit(Exit::Input)
}
