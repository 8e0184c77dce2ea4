//! Makes sure that what is needed is there.

use anyhow::Result;

use super::find::find;
use super::manager::{Cure, Manager, cure};
use super::need::Need;
use super::vulkan;
use crate::exit::Exit;
use crate::machine::Machine;

/// What to do about something that is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Name it.
    Look,
    /// Install it.
    Install,
}

impl Mode {
    /// From the flag `--setup`.
    pub(crate) const fn from_flag(setup: bool) -> Self {
        if setup { Self::Install } else { Self::Look }
    }
}

/// Makes sure that every one of `needs` is on `machine`.
///
/// # Errors
/// When something is missing that builds cannot do without: each is named, with the line that installs it.
pub(crate) fn ensure(needs: &[Need], mode: Mode, machine: &Machine) -> Result<()> {
    let absent = missing(needs, machine);
    if mode == Mode::Install && !absent.is_empty() {
        let (optional, required): (Vec<_>, Vec<_>) = absent.iter().partition(|need| need.is_optional());
        install(&required, machine)?;
        if let Err(error) = install(&optional, machine) {
            eprintln!("note: going on without: {error:#}");
        }
    }
    let absent: Vec<_> = missing(needs, machine).into_iter().filter(|need| !need.is_optional()).collect();
    if absent.is_empty() { Ok(()) } else { Err(Exit::Missing.error(complaint(&absent, mode, machine))) }
}

fn missing(needs: &[Need], machine: &Machine) -> Vec<Need> {
    let mut absent: Vec<Need> = needs.iter().copied().filter(|need| find(*need, machine).is_none()).collect();
    absent.sort();
    absent.dedup();
    absent
}

/// All packages in one go, then every command of its own. What only a person can do is left.
fn install(needs: &[Need], machine: &Machine) -> Result<()> {
    let cures: Vec<Cure> = needs.iter().map(|need| cure(*need, machine)).collect();
    let packages: Vec<&str> = cures
        .iter()
        .filter_map(|cure| if let Cure::Packages(packages) = cure { Some(*packages) } else { None })
        .flatten()
        .copied()
        .collect();
    let fetches_headers = cures.contains(&Cure::VulkanHeaders);
    let mut lines = match Manager::of(machine) {
        Some(manager) if !packages.is_empty() => manager.install(&packages, machine.is_root),
        _ => vec![],
    };
    lines.extend(
        cures.into_iter().filter_map(|cure| if let Cure::Run(line) = cure { Some(line) } else { None }),
    );
    for line in lines {
        eprintln!("setup: {line}");
        line.run_checked(machine, Exit::Missing)?;
    }
    if fetches_headers { vulkan::fetch(machine) } else { Ok(()) }
}

fn complaint(needs: &[Need], mode: Mode, machine: &Machine) -> String {
    let mut lines: Vec<String> = needs
        .iter()
        .map(|need| {
            let line = cure(*need, machine).line(machine);
            format!("{} is missing ({}): {line}", need.name(), need.purpose())
        })
        .collect();
    lines.push(match mode {
        Mode::Look => "or let --setup install what it can".to_owned(),
        Mode::Install => "it could not be installed; do it by hand and try again".to_owned(),
    });
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use crate::testing::FakeMachine;

    use super::*;

    const NEEDS: &[Need] = &[Need::CxxCompiler, Need::Cmake, Need::Ccache];

    /// A Debian with cc and c++ whose apt-get installs a program for each package.
    fn debian() -> FakeMachine {
        let fake = FakeMachine::new("linux", "x86_64");
        fake.program("cc", "");
        fake.program("c++", "");
        fake.logged("sudo", "exec \"$@\"");
        fake.logged(
            "apt-get",
            "[ \"$1\" = install ] || exit 0
             for package; do
               case $package in install|-*) continue ;; esac
               printf '#!/bin/sh\\n' > \"$BIN/$package\"; chmod 755 \"$BIN/$package\"
             done",
        );
        fake
    }

    #[test]
    fn without_setup_nothing_runs_and_the_line_is_named() {
        let fake = debian();
        let error = ensure(NEEDS, Mode::Look, &fake.machine()).unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Missing);
        assert_eq!(
            error.to_string(),
            "cmake is missing (configures llama.cpp's build): apt-get update && apt-get \
             install --yes --no-install-recommends cmake\nor let --setup install what it can"
        );
        assert_eq!(fake.log(), "");
    }

    #[test]
    fn with_setup_it_is_installed_the_optional_one_apart() {
        let fake = debian();
        ensure(NEEDS, Mode::Install, &fake.machine()).unwrap();
        assert_eq!(
            fake.log(),
            "apt-get update\napt-get install --yes --no-install-recommends cmake\n\
             apt-get update\napt-get install --yes --no-install-recommends ccache\n"
        );
        ensure(NEEDS, Mode::Install, &fake.machine()).unwrap();
        assert_eq!(fake.log().lines().count(), 4, "the second time nothing is left to do");
    }

    #[test]
    fn without_root_it_goes_through_sudo() {
        let fake = debian().without_root();
        ensure(&[Need::Cmake], Mode::Install, &fake.machine()).unwrap();
        assert!(
            fake.log().starts_with("sudo apt-get update\napt-get update\nsudo apt-get install"),
            "{}",
            fake.log()
        );
    }

    #[test]
    fn a_manager_that_fails_ends_it_but_not_for_the_optional_one() {
        let fake = debian();
        fake.program("apt-get", "exit 100");
        ensure(&[Need::CxxCompiler, Need::Ccache], Mode::Install, &fake.machine()).unwrap();
        let error = ensure(NEEDS, Mode::Install, &fake.machine()).unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Missing);
        assert_eq!(error.to_string(), "`apt-get update` failed: exit status: 100");
    }

    #[test]
    fn a_manager_that_installs_nothing_is_noticed() {
        let fake = debian();
        fake.program("apt-get", "exit 0");
        let error = ensure(NEEDS, Mode::Install, &fake.machine()).unwrap_err();
        assert!(
            error.to_string().ends_with("it could not be installed; do it by hand and try again"),
            "{error}"
        );
    }

    #[test]
    fn a_rust_target_is_added_by_rustup() {
        let fake = FakeMachine::new("macos", "aarch64");
        fake.program("rustc", "echo \"$BIN/../lib/$4\"");
        fake.logged("rustup", "mkdir -p \"$BIN/../lib/$3\"");
        ensure(&[Need::RustTarget("aarch64-apple-ios-sim")], Mode::Install, &fake.machine()).unwrap();
        assert_eq!(fake.log(), "rustup target add aarch64-apple-ios-sim\n");
    }
}
