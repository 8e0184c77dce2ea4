//! Where things lie in the repository.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::exit::Exit;

/// The repository's root folder and what is in it.
#[derive(Clone, Debug)]
pub(crate) struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// The workspace around `folder`.
    ///
    /// # Errors
    /// When neither `folder` nor one above it is the repository's root.
    pub(crate) fn around(folder: &Path) -> Result<Self> {
        folder
            .ancestors()
            .find(|candidate| {
                candidate.join("Cargo.lock").is_file() && candidate.join("cases/models.json").is_file()
            })
            .map(|root| Self { root: root.to_owned() })
            .ok_or_else(|| {
                Exit::Usage.error(format!(
                    "no llama-conformance checkout around {}; run cargo xtask inside one",
                    folder.display()
                ))
            })
    }

    /// The root folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Cargo's build folder, and ours.
    pub(crate) fn target(&self) -> PathBuf {
        self.root.join("target")
    }

    /// Where the probe of `backend` is built and described.
    pub(crate) fn probe_folder(&self, backend: &str) -> PathBuf {
        self.target().join("probe").join(backend)
    }

    /// Where the fixtures are written.
    pub(crate) fn fixtures(&self) -> PathBuf {
        self.target().join("fixtures")
    }

    /// The list of models.
    pub(crate) fn models_json(&self) -> PathBuf {
        self.root.join("cases/models.json")
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn is_found_from_below_and_missed_outside() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("cases/eog");
        fs::create_dir_all(&deep).unwrap();
        let error = Workspace::around(&deep).unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Usage);
        fs::write(folder.path().join("Cargo.lock"), "").unwrap();
        fs::write(folder.path().join("cases/models.json"), "[]").unwrap();
        assert_eq!(Workspace::around(&deep).unwrap().root(), folder.path());
    }
}
