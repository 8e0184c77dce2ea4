//! Whether a model's file is the one that it should be.

use anyhow::{Context as _, Result};
use judge::built::sha256_of_file;
use judge::models::{ModelEntry, ModelKind};

use super::cache::Cache;
use crate::exit::Exit;

/// What is at a model's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// A file, of the right size where the catalogue knows it.
    Present,
    /// A file of another size.
    WrongSize,
    /// Nothing.
    Absent,
}

/// Size and checksum that `model` must have, as far as they are known: a fixture's are the gguf crate's, which has
/// no checksum of a whole sparse file.
pub(crate) fn expected(model: &ModelEntry) -> (Option<u64>, Option<&str>) {
    let fixture = gguf::fixtures::all().iter().find(|info| info.name == model.name);
    match (model.kind, fixture) {
        (ModelKind::Fixture, Some(info)) => {
            (Some(info.bytes), Some(info.sha256.as_str()).filter(|_| !info.sparse))
        }
        _ => (model.size, model.sha256.as_deref()),
    }
}

/// A quick look: size only.
pub(crate) fn state(model: &ModelEntry, cache: &Cache) -> State {
    match cache.path(model).metadata() {
        Ok(meta) if expected(model).0.is_none_or(|size| size == meta.len()) => State::Present,
        Ok(_) => State::WrongSize,
        Err(_) => State::Absent,
    }
}

/// Reads the whole file.
///
/// # Errors
/// When it is missing, or its size or checksum is wrong. The message says what to do.
pub(crate) fn verify(model: &ModelEntry, cache: &Cache) -> Result<()> {
    let path = cache.path(model);
    let cure = match model.kind {
        ModelKind::Fixture => format!("run `cargo xtask models make {}`", model.name),
        ModelKind::Pypi => format!("run `cargo xtask models fetch {}`", model.name),
    };
    let wrong = |what: &str| Exit::Input.error(format!("{} {what}; {cure}", path.display()));
    match state(model, cache) {
        State::Present => {}
        State::WrongSize => return Err(wrong("has the wrong size")),
        State::Absent => return Err(Exit::Input.error(format!("{} is missing; {cure}", path.display()))),
    }
    let sum = sha256_of_file(&path).with_context(|| format!("cannot read {}", path.display()))?;
    match expected(model).1 {
        Some(wanted) if wanted != sum => Err(wrong("has the wrong checksum")),
        _ => Ok(()),
    }
}
