//! Hugging Face transformers with Jinja2, the reference of chat templates: packages of PyPI in a folder of their own below
//! the user's cache, so that no environment of the user's is touched. What needs torch is not used.
//!
//! A folder rather than a virtual environment: Debian's python3 cannot make one without a further package.

use std::path::PathBuf;

use anyhow::Result;

use super::find::Found;
use crate::command_line::CommandLine;
use crate::exit::Exit;
use crate::machine::Machine;
use crate::models;

/// What pip installs, with what it depends on.
const REQUIREMENTS: [&str; 2] = ["transformers==5.24.0", "jinja2==3.1.6"];

/// The folder that pip fills, named after packages and versions.
///
/// # Errors
/// When the machine has no folder to keep it in.
pub(crate) fn folder(machine: &Machine) -> Result<PathBuf> {
    let name = REQUIREMENTS.map(|requirement| requirement.replace("==", "-")).join("-");
    Ok(models::cache_folder(machine)?.join("tools").join(name))
}

/// The line that installs it.
///
/// # Errors
/// When the machine has no folder to keep it in.
pub(super) fn install(machine: &Machine) -> Result<CommandLine> {
    let options = ["-m", "pip", "install", "--only-binary=:all:", "--upgrade", "--target"];
    Ok(CommandLine::new("python3", options).arg(folder(machine)?.display().to_string()).args(REQUIREMENTS))
}

/// Whether it is there, in the right versions, and made for this Python.
pub(super) fn find(machine: &Machine) -> Option<Found> {
    let path = folder(machine).ok()?;
    let script = "import importlib.metadata as m, jinja2, numpy; print(m.version('transformers'), m.version('jinja2'))";
    let line = CommandLine::new("python3", ["-c", script]).env("PYTHONPATH", path.display().to_string());
    let version = line.capture(machine, Exit::Missing).ok()?.trim().to_owned();
    let wanted: Vec<&str> =
        REQUIREMENTS.iter().filter_map(|one| one.split_once("==")).map(|(_, v)| v).collect();
    (version == wanted.join(" ")).then_some(Found { path, version })
}

#[cfg(test)]
mod tests {
    use crate::setup::{Mode, Need, ensure};
    use crate::testing::FakeMachine;

    use super::*;

    #[test]
    fn it_is_installed_once_into_a_folder_of_its_own() {
        let fake = FakeMachine::new("linux", "x86_64");
        fake.logged(
            "python3",
            "[ \"$1\" = -c ] && { [ -e \"$PYTHONPATH/there\" ] && echo 5.24.0 3.1.6; exit; }; mkdir -p \"$7\"; touch \"$7/there\"",
        );
        let machine = fake.machine();
        let error = ensure(&[Need::Transformers], Mode::Look, &machine).unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Missing);
        assert!(
            error.to_string().contains("python3 -m pip install --only-binary=:all: --upgrade --target"),
            "{error}"
        );
        ensure(&[Need::Transformers], Mode::Install, &machine).unwrap();
        let log = fake.log();
        assert!(
            log.contains("tools/transformers-5.24.0-jinja2-3.1.6 transformers==5.24.0 jinja2==3.1.6\n"),
            "{log}"
        );
        assert_eq!(find(&machine).unwrap().version, "5.24.0 3.1.6");
        ensure(&[Need::Transformers], Mode::Install, &machine).unwrap();
        assert_eq!(fake.log().matches("pip install").count(), 1);
    }
}
