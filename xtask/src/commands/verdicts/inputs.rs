//! What a run reads, and must not write over.

use std::path::{Path, PathBuf};

use anyhow::Result;
use judge::setup::Folders;

use crate::exit::Exit;

/// Refuses a report at `path` that would take the place of an input: of a file of the suite, a golden, or what is in
/// or at one of the `others`.
///
/// # Errors
/// When it would.
pub(in crate::commands) fn keep_inputs(
    path: Option<&Path>,
    folders: &Folders,
    others: impl IntoIterator<Item = PathBuf>,
) -> Result<()> {
    let Some(place) = path.filter(|path| path.is_file()).and_then(|path| path.canonicalize().ok()) else {
        return Ok(());
    };
    let is_input = |input: PathBuf| input.canonicalize().is_ok_and(|input| place.starts_with(input));
    if ![folders.cases(), folders.golden()].into_iter().chain(others).any(is_input) {
        return Ok(());
    }
    let place = path.unwrap_or(&place).display();
    Err(Exit::Usage
        .error(format!("{place} is read by this run, and a report would take its place; name another file")))
}
