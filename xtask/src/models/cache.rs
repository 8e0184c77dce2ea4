//! The folder where fetched models stay, shared by all checkouts of a user.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use judge::models::Places;

use crate::exit::{Exit, OrExit as _};
use crate::machine::Machine;
use crate::workspace::Workspace;

/// Names the cache folder, before all other places.
const CACHE_VARIABLE: &str = "LLAMA_CONFORMANCE_CACHE";

/// What to do where models can't be kept.
const CURE: &str = "set LLAMA_CONFORMANCE_CACHE to a folder that can be written to";

/// Where model files lie.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    places: Places,
}

impl Cache {
    /// The cache of `machine` and the fixtures of `workspace`.
    ///
    /// # Errors
    /// When the machine has no home folder and the environment names no other place.
    pub(crate) fn new(machine: &Machine, workspace: &Workspace) -> Result<Self> {
        let places = Places { fixtures: workspace.fixtures(), models: folder(machine)?.join("models") };
        Ok(Self { places })
    }

    /// The folder of the fetched models.
    pub(crate) fn models(&self) -> &Path {
        &self.places.models
    }

    /// Where models lie.
    pub(super) fn places(&self) -> &Places {
        &self.places
    }

    /// The folder in which the model with this key is put together. What a fetch that was killed has left is there.
    pub(super) fn workshop(&self, key: &str) -> PathBuf {
        self.models().join(format!(".fetch-{key}"))
    }

    /// Keeps every other process from fetching the model with this key while the file that is returned is open.
    /// Waits, and says so, while another one is at it.
    pub(super) fn lock(&self, key: &str) -> Result<File> {
        let folder = self.models();
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot keep models in {}; {CURE}", folder.display()))
            .or_exit(Exit::Missing)?;
        let path = folder.join(format!(".{key}.lock"));
        let failed = || format!("cannot lock {}; {CURE}", path.display());
        let file = File::options().create(true).append(true).open(&path).with_context(failed);
        let file = file.or_exit(Exit::Missing)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                eprintln!("waiting for another fetch of {key} to end");
                file.lock().with_context(failed)?;
            }
            Err(TryLockError::Error(error)) => return Err(error).with_context(failed),
        }
        Ok(file)
    }
}

/// Where everything that is fetched stays.
///
/// # Errors
/// When the machine has no home folder and the environment names no other place.
pub(crate) fn folder(machine: &Machine) -> Result<PathBuf> {
    if let Some(path) = machine.path_var(CACHE_VARIABLE) {
        return Ok(path);
    }
    let home = || {
        machine.path_var("HOME").ok_or_else(|| {
            Exit::Missing.error(format!("no home folder to keep models in; set {CACHE_VARIABLE} to a folder"))
        })
    };
    let base = match machine.path_var("XDG_CACHE_HOME") {
        Some(path) => path,
        None if machine.host.is_mac() => home()?.join("Library/Caches"),
        None => home()?.join(".cache"),
    };
    Ok(base.join("llama-conformance"))
}

#[cfg(test)]
mod tests {
    use crate::testing::FakeMachine;

    use super::*;

    #[test]
    fn the_folder_is_where_each_system_has_it() {
        let shown = |fake: &FakeMachine| {
            let folder = folder(&fake.machine()).unwrap();
            folder.display().to_string().replace(&fake.folder().display().to_string(), "~")
        };
        let mut fake = FakeMachine::new("linux", "x86_64");
        assert_eq!(shown(&fake), "~/home/.cache/llama-conformance");
        assert_eq!(shown(&FakeMachine::new("macos", "aarch64")), "~/home/Library/Caches/llama-conformance");
        fake.set("XDG_CACHE_HOME", "/xdg");
        assert_eq!(shown(&fake), "/xdg/llama-conformance");
        fake.set("LLAMA_CONFORMANCE_CACHE", "/own");
        assert_eq!(shown(&fake), "/own");
    }

    #[test]
    fn the_judge_looks_where_models_are_put() {
        let workspace = Workspace::around(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        let cache = Cache::new(&Machine::current(), &workspace).unwrap();
        assert_eq!(cache.places, judge::setup::Folders::of_workspace(workspace.root()).places());
    }

    #[test]
    fn without_a_home_it_says_what_to_set() {
        let mut fake = FakeMachine::new("linux", "x86_64");
        fake.set("HOME", "");
        let error = folder(&fake.machine()).unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Missing);
        assert!(error.to_string().ends_with("set LLAMA_CONFORMANCE_CACHE to a folder"));
    }
}
