//! Whether a model's file is the one that it should be.

use std::path::Path;

use anyhow::{Context as _, Result};
use gguf::GgufFile;
use judge::built::sha256_of_file;

use super::model_file::{ModelFile, Origin};
use super::stamp::Stamp;
use crate::exit::Exit;

/// What is at a model's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// A file, of the right size where it is known.
    Present,
    /// A file of another size.
    WrongSize,
    /// Nothing.
    Absent,
}

/// A quick look: size only.
pub(crate) fn state(model: &ModelFile) -> State {
    match model.path.metadata() {
        Ok(meta) if model.size.is_none_or(|size| size == meta.len()) => State::Present,
        Ok(_) => State::WrongSize,
        Err(_) => State::Absent,
    }
}

/// As [`verify`], but a file that has not changed since it was last read whole is not read again.
///
/// # Errors
/// As [`verify`].
pub(crate) fn look(model: &ModelFile) -> Result<()> {
    let known = model.sha256.as_deref().and_then(|sum| Stamp::of(&model.path, sum));
    if known.is_some() && known == Stamp::read(&model.path) { Ok(()) } else { verify(model) }
}

/// Reads the whole file, unless its checksum is not known: then its size has to do.
///
/// # Errors
/// When it is missing, or its size or checksum is wrong. The message says what to do.
pub(crate) fn verify(model: &ModelFile) -> Result<()> {
    let (path, cure) = (&model.path, model.cure());
    if state(model) == State::Absent {
        return Err(Exit::Input.error(format!("{} is missing; {cure}", path.display())));
    }
    if model.sha256.is_none() && state(model) == State::Present {
        return Ok(());
    }
    let seen = seen(path)?;
    if let Some(difference) = difference(model, &seen) {
        return Err(Exit::Input.error(format!("{}: wrong checksum: {difference}; {cure}", path.display())));
    }
    if model.origin != Origin::Fixture
        && let Some(stamp) = Stamp::of(path, &seen.1)
    {
        stamp.write(path);
    }
    Ok(())
}

/// What is wrong with the file's structure, whatever its checksum; nothing where all is well.
pub(crate) fn defects(model: &ModelFile) -> Vec<String> {
    match GgufFile::open(&model.path) {
        Ok(file) => file.verify().iter().map(ToString::to_string).collect(),
        Err(error) => vec![error.to_string()],
    }
}

/// Size and SHA-256 of the file at `path`.
pub(super) fn seen(path: &Path) -> Result<(u64, String)> {
    let failed = || format!("cannot read {}", path.display());
    let size = path.metadata().with_context(failed)?.len();
    Ok((size, sha256_of_file(path).with_context(failed)?))
}

/// How what was seen differs from what `model` must be.
pub(super) fn difference(model: &ModelFile, (size, sum): &(u64, String)) -> Option<String> {
    let right = model.size.is_none_or(|wanted| wanted == *size)
        && model.sha256.as_ref().is_none_or(|wanted| wanted == sum);
    let known = |text: Option<String>| text.unwrap_or_else(|| "any".to_owned());
    let wanted_size = known(model.size.map(|size| size.to_string()));
    let wanted_sum = known(model.sha256.clone());
    (!right)
        .then(|| format!("{size} bytes with sha256 {sum}, but expected are {wanted_size} with {wanted_sum}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SHA-256 of `abc`: FIPS 180-2, appendix B.1.
    const SUM: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn a_file_is_read_again_only_when_it_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.gguf");
        let model = ModelFile {
            name: "m".to_owned(),
            role: String::new(),
            licence: String::new(),
            path: path.clone(),
            size: Some(3),
            sha256: Some(SUM.to_owned()),
            origin: Origin::Pypi(Vec::new()),
        };
        std::fs::write(&path, "abc").unwrap();
        verify(&model).unwrap();
        // Other contents under the stamp of the right ones: only reading tells.
        std::fs::write(&path, "abd").unwrap();
        assert_eq!(Exit::of(&look(&model).unwrap_err()), Exit::Input);
        Stamp::of(&path, SUM).unwrap().write(&path);
        look(&model).unwrap();
        assert_eq!(Exit::of(&verify(&model).unwrap_err()), Exit::Input);
    }
}
