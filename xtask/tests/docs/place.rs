//! A place to run a command in, and the running.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Failed;
use tempfile::TempDir;

use crate::entry::Entry;

/// Runs `entry`, whose command has the words `said`, `xtask` being the first.
pub(crate) fn run(entry: &Entry, said: &[String], root: &Path) -> Result<(), Failed> {
    let place = Place::new(entry, root);
    for command in &entry.first {
        let words = shlex::split(command).ok_or_else(|| format!("{command} is no command line"))?;
        place.check(&words, 0, &[])?;
    }
    let word = |word: &String| entry.words.get(word).unwrap_or(word).clone();
    let words =
        said.iter().skip(1).map(word).filter(|word| !word.is_empty()).chain(entry.add.iter().cloned());
    place.check(&words.collect::<Vec<_>>(), entry.exit, &entry.says)
}

/// A folder in the checkout, or with a copy of what commands write.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new(entry: &Entry, root: &Path) -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        if entry.copy {
            fs::copy(root.join("Cargo.lock"), folder.path().join("Cargo.lock")).expect("a file");
            ["cases", "golden"].iter().for_each(|name| copy(&root.join(name), &folder.path().join(name)));
        }
        for (name, text) in &entry.files {
            fs::write(folder.path().join(name), text).expect("a file");
        }
        Self { folder }
    }

    /// Runs xtask. On a machine of this kind nothing is staged, and no colour is shown.
    fn check(&self, words: &[String], exit: i32, says: &[String]) -> Result<(), Failed> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        let output = command.args(words).current_dir(self.folder.path()).env("CI", "1").output()?;
        let streams = [output.stdout, output.stderr];
        let said = streams.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        let silent = says.iter().find(|part| !said.contains(part.as_str()));
        match output.status.code() {
            Some(code) if code == exit && silent.is_none() => Ok(()),
            code => Err(format!(
                "`cargo xtask {}` ended with {code:?} rather than {exit}, or did not say {silent:?}:\n{said}",
                words.join(" ")
            )
            .into()),
        }
    }
}

fn copy(from: &PathBuf, to: &PathBuf) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).expect("an entry");
        let to = to.join(name);
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, to).expect("a file");
        }
    }
}
