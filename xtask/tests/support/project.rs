//! A checkout in a folder of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::Answer;

/// A temporary repository, home folder and PATH.
pub(crate) struct Project {
    folder: TempDir,
}

/// A case that needs no model.
const CASE: &str = r#"{
  "id": "eog/nothing",
  "why": "nothing can be said of nothing",
  "stimulus": {"stream": {"pieces": []}},
  "checks": [{"generated": {"equals": 0}}]
}"#;

const TOLERANCES: &str =
    r#"[{"name": "default", "nmse": 0, "kl": 0, "eog": 0, "near_tie": 0, "why": "nothing differs"}]"#;

impl Project {
    /// One case, no models, no programs on PATH.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let sources = ["project/harness/probe", "project/harness/prompt", "project/harness/wire"];
        for name in ["bin", "home", "project/cases/eog"].iter().chain(&sources) {
            fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        let project = Self { folder };
        project.write("Cargo.lock", "");
        project.write("cases/eog/nothing.json", CASE);
        project.write("cases/tolerances.json", TOLERANCES);
        project.write("cases/models.json", "[]");
        project
    }

    /// The folder around repository, home and PATH.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The repository.
    pub(crate) fn root(&self) -> PathBuf {
        self.folder().join("project")
    }

    /// Writes a file of the repository.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Puts a shell script on PATH; another process writes it, so that no test can meet it half-written.
    pub(crate) fn program(&self, name: &str, script: &str) {
        let path = self.folder().join("bin").join(name);
        let text = format!("#!/bin/sh\nPATH=/usr/bin:/bin\n{script}\n");
        let writer = r#"printf %s "$1" > "$2" && chmod 755 "$2""#;
        assert!(Command::new("sh").args(["-c", writer, "sh", &text]).arg(path).status().unwrap().success());
    }

    /// xtask with `args` in the repository, with nothing of this machine's environment.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        self.in_environment(Command::new(env!("CARGO_BIN_EXE_xtask")), args)
    }

    /// `command` with `args` in the repository, with nothing of this machine's environment. libclang is looked for in
    /// [`Self::folder`], models in `cache/models` there.
    pub(crate) fn in_environment(&self, mut command: Command, args: &[&str]) -> Command {
        command
            .args(args)
            .current_dir(self.root())
            .env_clear()
            .env("PATH", self.folder().join("bin"))
            .env("HOME", self.folder().join("home"))
            .env("LIBCLANG_PATH", self.folder())
            .env("LLAMA_CONFORMANCE_CACHE", self.folder().join("cache"));
        command
    }

    /// Runs xtask with `args`.
    pub(crate) fn run(&self, args: &[&str]) -> Answer {
        self.command(args).output().unwrap().into()
    }

    /// Every file below the folder, with its contents.
    pub(crate) fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(self.folder(), &mut files);
        files
    }
}

fn collect(path: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(path).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
            files.insert(path, Vec::new());
        } else if path.is_file() {
            files.insert(path.clone(), fs::read(path).unwrap());
        }
    }
}
