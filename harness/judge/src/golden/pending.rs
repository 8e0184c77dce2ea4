//! Goldens that wait for a person, and goldens that nobody needs any more.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::store::{GoldenError, GoldenStore, parse};
use super::{Golden, store};

/// How the name of an accepted golden ends.
pub(super) const ACCEPTED: &str = ".snap";

/// How that of a staged one ends.
const STAGED: &str = ".snap.new";

/// A golden that was staged, beside the one that it would replace.
#[derive(Clone, Debug, PartialEq)]
pub struct Pending {
    /// The model's name.
    pub model: String,
    /// The case's id.
    pub case: String,
    /// The staged file.
    pub path: PathBuf,
    /// What was accepted before.
    pub old: Option<Golden>,
    /// What was seen.
    pub new: Golden,
}

impl Pending {
    /// `<model>/<case>`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.model, self.case)
    }

    /// Puts the staged golden in the place of the accepted one, in one step.
    ///
    /// # Errors
    /// When that fails; then nothing has changed.
    pub fn accept(&self) -> Result<(), GoldenError> {
        // Without the last part: `x.snap.new` becomes `x.snap`.
        fs::rename(&self.path, self.path.with_extension("")).map_err(|source| self.failed(source))
    }

    /// Takes the staged golden away; the accepted one stays.
    ///
    /// # Errors
    /// When that fails.
    pub fn reject(&self) -> Result<(), GoldenError> {
        fs::remove_file(&self.path).map_err(|source| self.failed(source))
    }

    fn failed(&self, source: io::Error) -> GoldenError {
        GoldenError::Review { path: self.path.clone(), source }
    }
}

impl GoldenStore {
    /// Every staged golden, by model and case.
    ///
    /// # Errors
    /// When a folder or a file cannot be read, or holds no golden.
    pub fn pending(&self) -> Result<Vec<Pending>, GoldenError> {
        let staged = self.files(STAGED)?;
        let read = |(model, case, path): (String, String, PathBuf)| {
            let (old, new) = (self.read(&model, &case)?, parse(&path)?);
            Ok(Pending { model, case, path, old, new })
        };
        staged.into_iter().map(read).collect()
    }

    /// The files of accepted goldens that `is_named` says of that no case asks for: called with model and case.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn unreferenced(&self, is_named: impl Fn(&str, &str) -> bool) -> Result<Vec<PathBuf>, GoldenError> {
        let accepted = self.files(ACCEPTED)?.into_iter();
        Ok(accepted.filter(|(model, case, _)| !is_named(model, case)).map(|(_, _, path)| path).collect())
    }

    /// Model, case and path of every file whose name has this end.
    pub(super) fn files(&self, end: &str) -> Result<Vec<(String, String, PathBuf)>, GoldenError> {
        let mut files = Vec::new();
        for folder in entries(self.root())?.into_iter().filter(|folder| folder.is_dir()) {
            for path in entries(&folder)? {
                let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
                let case = name(&path).and_then(|name| name.strip_suffix(end).map(store::case_of));
                if let (Some(model), Some(case)) = (name(&folder), case) {
                    files.push((model, case, path));
                }
            }
        }
        Ok(files)
    }
}

/// What is in `folder`, sorted; nothing where it is not there.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, GoldenError> {
    let unreadable = |error: io::Error| GoldenError::Folder { path: folder.to_owned(), source: error };
    let list = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        list => list.map_err(unreadable)?,
    };
    let mut paths = list
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(unreadable)?;
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use wire::{Ending, Observation};

    use super::*;

    fn golden(made_by: &str) -> Golden {
        Golden { made_by: made_by.into(), observation: Observation::ended(Ending::Completed) }
    }

    #[test]
    fn accepted_replaces_and_rejected_vanishes() {
        let root = tempfile::tempdir().unwrap();
        let store = GoldenStore::new(root.path(), true);
        assert_eq!(store.pending().unwrap(), []);
        for case in ["eog/x", "eog/y"] {
            store.stage("m", case, "why", &golden("first")).unwrap();
        }
        let pending = store.pending().unwrap();
        let names: Vec<String> = pending.iter().map(Pending::name).collect();
        assert_eq!((names, &pending[0].old), (vec!["m/eog/x".to_owned(), "m/eog/y".to_owned()], &None));
        pending[0].accept().unwrap();
        pending[1].reject().unwrap();
        assert_eq!(store.read("m", "eog/x").unwrap(), Some(golden("first")));
        assert_eq!(store.read("m", "eog/y").unwrap(), None);
        assert_eq!(store.pending().unwrap(), []);
        store.stage("m", "eog/x", "why", &golden("second")).unwrap();
        let pending = store.pending().unwrap();
        assert_eq!((&pending[0].old, &pending[0].new), (&Some(golden("first")), &golden("second")));
        assert!(pending[0].accept().is_ok() && pending[0].accept().is_err(), "it is gone");
    }

    #[test]
    fn what_no_case_names_is_listed() {
        let root = tempfile::tempdir().unwrap();
        let store = GoldenStore::new(root.path(), true);
        for model in ["m", "n"] {
            store.stage(model, "eog/x", "why", &golden("it")).unwrap();
        }
        store.pending().unwrap().iter().for_each(|pending| pending.accept().unwrap());
        let unreferenced = store.unreferenced(|model, case| model == "m" && case == "eog/x").unwrap();
        assert_eq!(unreferenced, [root.path().join("n/eog__x.snap")]);
    }
}
