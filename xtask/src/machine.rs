//! What xtask may look at outside the workspace: the host, the environment, the programs on PATH.
//!
//! Everything that depends on the machine gets it as a value, so that tests can hand over another one: a Mac
//! with fake tools on its PATH, a Linux without cmake.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// An operating system and a processor, as Rust names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Host {
    /// `linux`, `macos` …
    pub(crate) os: &'static str,
    /// `x86_64`, `aarch64` …
    pub(crate) arch: &'static str,
}

impl Host {
    /// Where this process runs.
    pub(crate) const CURRENT: Self = Self { os: env::consts::OS, arch: env::consts::ARCH };

    /// Whether this is a Mac.
    pub(crate) fn is_mac(self) -> bool {
        self.os == "macos"
    }
}

impl std::fmt::Display for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.os, self.arch)
    }
}

/// A machine as xtask sees it.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    /// Operating system and processor.
    pub(crate) host: Host,
    /// The environment of every program that is started.
    pub(crate) env: BTreeMap<OsString, OsString>,
    /// The root of the file system; another folder in tests.
    pub(crate) root: PathBuf,
    /// Whether programs run as root.
    pub(crate) is_root: bool,
}

impl Machine {
    /// This machine.
    pub(crate) fn current() -> Self {
        Self {
            host: Host::CURRENT,
            env: env::vars_os().collect(),
            root: PathBuf::from("/"),
            is_root: rustix::process::geteuid().is_root(),
        }
    }

    /// An environment variable that is set and not empty.
    pub(crate) fn var(&self, key: &str) -> Option<&OsStr> {
        self.env.get(OsStr::new(key)).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// An environment variable as a path.
    pub(crate) fn path_var(&self, key: &str) -> Option<PathBuf> {
        self.var(key).map(PathBuf::from)
    }

    /// The first executable file named `program` on PATH. A name with a slash is taken as it is.
    pub(crate) fn find(&self, program: &str) -> Option<PathBuf> {
        if program.contains('/') {
            return is_executable(Path::new(program)).then(|| PathBuf::from(program));
        }
        let path = self.var("PATH")?;
        env::split_paths(path).map(|folder| folder.join(program)).find(|candidate| is_executable(candidate))
    }
}

fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use crate::testing::FakeMachine;

    #[test]
    fn finds_the_first_executable_on_path() {
        let fake = FakeMachine::new("linux", "x86_64");
        assert_eq!(fake.machine().find("cmake"), None);
        let program = fake.program("cmake", "exit 0");
        assert_eq!(fake.machine().find("cmake"), Some(program));
    }

    #[test]
    fn a_file_that_cannot_run_is_no_program() {
        let fake = FakeMachine::new("linux", "x86_64");
        std::fs::write(fake.bin().join("cmake"), "text").unwrap();
        assert_eq!(fake.machine().find("cmake"), None);
    }

    #[test]
    fn an_empty_variable_is_unset() {
        let mut fake = FakeMachine::new("linux", "x86_64");
        fake.set("LIBCLANG_PATH", "");
        assert_eq!(fake.machine().var("LIBCLANG_PATH"), None);
    }
}
