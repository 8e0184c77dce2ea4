//! For tests: a machine whose programs are small shell scripts in a temporary folder.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::machine::{Host, Machine};
use crate::workspace::Workspace;

/// A machine with an empty PATH, an empty root folder, and nothing in its environment but PATH and HOME.
pub(crate) struct FakeMachine {
    folder: TempDir,
    machine: Machine,
}

impl FakeMachine {
    /// A machine of this kind, run by root.
    pub(crate) fn new(os: &'static str, arch: &'static str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (bin, home) = (folder.path().join("bin"), folder.path().join("home"));
        fs::create_dir(&bin).unwrap();
        fs::create_dir(&home).unwrap();
        let env = [("PATH", &bin), ("HOME", &home)];
        let machine = Machine {
            host: Host { os, arch },
            env: env.into_iter().map(|(key, value)| (key.into(), value.into())).collect(),
            root: folder.path().join("root"),
            is_root: true,
        };
        Self { folder, machine }
    }

    /// The machine as it is now.
    pub(crate) fn machine(&self) -> Machine {
        self.machine.clone()
    }

    /// Run by somebody else than root.
    pub(crate) fn without_root(mut self) -> Self {
        self.machine.is_root = false;
        self
    }

    /// Sets an environment variable.
    pub(crate) fn set(&mut self, key: &str, value: impl Into<OsString>) {
        self.machine.env.insert(key.into(), value.into());
    }

    /// The folder on PATH.
    pub(crate) fn bin(&self) -> PathBuf {
        self.folder.path().join("bin")
    }

    /// An empty repository in [`Self::folder`].
    pub(crate) fn workspace(&self) -> Workspace {
        let root = self.folder().join("project");
        for folder in ["cases", "harness/probe", "harness/prompt", "harness/wire"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        fs::write(root.join("Cargo.lock"), "").unwrap();
        fs::write(root.join("cases/models.json"), "[]").unwrap();
        Workspace::around(&root).unwrap()
    }

    /// A folder for whatever the test writes.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Puts a program on PATH. `$LOG` names a file that [`Self::log`] reads; `$BIN` is the folder on PATH. The
    /// script may use the real machine's shell tools.
    pub(crate) fn program(&self, name: &str, script: &str) -> PathBuf {
        let (path, folder) = (self.bin().join(name), self.folder.path().display());
        let text = format!(
            "#!/bin/sh\nLOG='{folder}/log'\nBIN='{folder}/bin'\nPATH=\"$PATH:/usr/bin:/bin\"\n{script}\n"
        );
        write_executable(&path, &text);
        path
    }

    /// Puts a program on PATH that writes its name and arguments to the log, then does `script`.
    pub(crate) fn logged(&self, name: &str, script: &str) -> PathBuf {
        self.program(name, &format!("echo {name} \"$@\" >> \"$LOG\"\n{script}"))
    }

    /// Puts an empty file at `path` below the machine's root.
    pub(crate) fn file(&self, path: &str) -> PathBuf {
        let path = self.machine.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "").unwrap();
        path
    }

    /// What the programs wrote to the log, the temporary folder replaced by `~`.
    pub(crate) fn log(&self) -> String {
        let text = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        text.replace(&self.folder.path().display().to_string(), "~")
    }
}

/// Lets another process write the file: a descriptor of ours, open for writing, could be inherited by a program
/// that another test starts at this moment, and then the script could not run ("text file busy").
fn write_executable(path: &Path, text: &str) {
    let script = r#"printf %s "$1" > "$2" && chmod 755 "$2""#;
    let status = Command::new("sh").args(["-c", script, "sh", text]).arg(path).status().unwrap();
    assert!(status.success());
}
