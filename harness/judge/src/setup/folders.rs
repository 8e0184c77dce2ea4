//! Where things lie in a checkout and on this machine.

use std::env;
use std::path::{Path, PathBuf};

use crate::built::{BuiltError, SubjectFile};
use crate::models::Places;
use crate::plan::Target;

/// The folders of a checkout, and the cache outside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folders {
    root: PathBuf,
    cache: PathBuf,
}

impl Folders {
    /// The folders of the checkout at `root`.
    pub fn of_workspace(root: &Path) -> Self {
        Self { root: root.to_owned(), cache: cache_folder(|name| env::var_os(name).map(PathBuf::from)) }
    }

    /// The checkout.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Case files, models.json, tolerances.json, known failures.
    pub fn cases(&self) -> PathBuf {
        self.root.join("cases")
    }

    /// Golden snapshots.
    pub fn golden(&self) -> PathBuf {
        self.root.join("golden")
    }

    /// Where the probe of `backend` is built and described.
    pub fn probe(&self, backend: &str) -> PathBuf {
        self.root.join("target/probe").join(backend)
    }

    /// What is kept between checkouts: fetched models.
    pub fn cache(&self) -> &Path {
        &self.cache
    }

    /// Where models lie.
    pub fn places(&self) -> Places {
        Places { fixtures: self.root.join("target/fixtures"), models: self.cache.join("models") }
    }

    /// The built probe of `backend`.
    ///
    /// # Errors
    /// When it is missing or is no longer the one that subject.json describes.
    pub fn target(&self, backend: &str) -> Result<Target, BuiltError> {
        Ok(SubjectFile::read_fresh(&self.probe(backend), backend, None)?.target(&[]))
    }
}

/// `$LLAMA_CONFORMANCE_CACHE`, else `llama-conformance` in the user's cache folder.
fn cache_folder(variable: impl Fn(&str) -> Option<PathBuf>) -> PathBuf {
    const NAME: &str = "llama-conformance";
    let home = || variable("HOME").unwrap_or_else(|| PathBuf::from("."));
    let users = if cfg!(target_os = "macos") { home().join("Library/Caches") } else { home().join(".cache") };
    variable("LLAMA_CONFORMANCE_CACHE")
        .unwrap_or_else(|| variable("XDG_CACHE_HOME").unwrap_or(users).join(NAME))
}
