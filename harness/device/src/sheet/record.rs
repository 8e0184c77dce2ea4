//! Answers become a recording, which the judge replays.

use std::path::Path;

use judge::models::Model;
use judge::subject::{RecordedRun, Recording};

use super::collect::Collected;
use super::sheet::{Sheet, SheetError};

/// Writes the answers to `sheet` as a recording into `dir`, which is empty or not there yet; beside them everything
/// that `reference` holds, since numbers are compared with it.
///
/// # Errors
/// When nothing was answered, or a recording cannot be read or written.
pub fn record(
    sheet: &Sheet,
    collected: &Collected,
    dir: &Path,
    reference: Option<&Recording>,
) -> Result<Recording, SheetError> {
    let Some(card) = &collected.card else {
        let why = match collected.aside.first() {
            Some(first) => format!(" ({} files were left aside: {first})", collected.aside.len()),
            None if !collected.asked.is_empty() => " (the app died in each)".to_owned(),
            None => String::new(),
        };
        return Err(SheetError::NoAnswer { asked: sheet.questions.len(), why });
    };
    let ours: Vec<Model> = sheet.models.iter().filter_map(|model| model.model.clone()).collect();
    let mut subjects = vec![(sheet.subject.clone(), card.clone())];
    let mut items = Vec::new();
    if let Some(reference) = reference {
        let others = reference.run().subjects.iter().filter(|(name, _)| *name != sheet.subject);
        subjects.splice(0..0, others.cloned());
        let prefix = format!("{}/", sheet.subject);
        items = reference.items()?;
        items.retain(|item| !item.key.starts_with(&prefix));
    }
    let run = RecordedRun {
        subjects,
        models: ours,
        without_model: sheet.without_model,
        complete: sheet.complete && collected.open.is_empty(),
        ..RecordedRun::default()
    };
    let recording = Recording::create(dir, run)?;
    for item in &items {
        recording.put(&item.key, &item.request, &item.card, &item.observation)?;
    }
    for asked in &collected.asked {
        recording.put(&asked.key, &asked.request, card, &asked.observation)?;
    }
    Ok(recording)
}
