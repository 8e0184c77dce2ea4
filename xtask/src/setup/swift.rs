//! Swift: a Mac's own, and elsewhere Debian 13's in a folder of its own below the user's cache, entered by chroot. It is
//! never installed on the system itself: on an older Debian it would bring another C library.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::Mode;
use crate::command_line::CommandLine;
use crate::exit::Exit;
use crate::machine::Machine;
use crate::models;

/// Debian's name.
const RELEASE: &str = "trixie";
/// Where it comes from, unless this variable names a mirror.
const MIRROR: &str = "http://deb.debian.org/debian";
const MIRROR_VARIABLE: &str = "LLAMA_CONFORMANCE_DEBIAN_MIRROR";
/// Written last: a folder without it was begun, and not finished.
const READY: &str = "conformance-ready";

/// Swift, and a Rust that can be checked for Apple's targets.
const PACKAGES: [&str; 7] = [
    "swiftlang",
    "swiftlang-dev",
    "libstdc++-14-dev",
    "rustc-web",
    "cargo-web",
    "rust-web-src",
    "libstd-rust-web-dev",
];

/// Mounts vanish with the namespace, whatever ends the command. Arguments: root, checkout, llama.cpp, command.
const ENTER: &str = "root=$1 work=$2 llama=$3; shift 3; mkdir -p \"$root/work\" \"$root/llama\"; \
    mount -t proc proc \"$root/proc\"; mount --bind \"$work\" \"$root/work\"; mount --bind \"$llama\" \"$root/llama\"; \
    exec chroot \"$root\" /usr/bin/env -i PATH=/usr/libexec/swift/bin:/usr/bin:/bin HOME=/tmp \"$@\"";

/// A place where Swift runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Swift {
    /// This system's own.
    System,
    /// In the chroot at this folder.
    Chroot(PathBuf),
}

impl Swift {
    /// Finds it, or makes the chroot where that is allowed; else says why there is none.
    ///
    /// # Errors
    /// When making it fails.
    pub(crate) fn ensure(mode: Mode, machine: &Machine) -> Result<Result<Self, String>> {
        if machine.host.is_mac() {
            let swift = machine.find("swift").map(|_| Self::System);
            return Ok(swift.ok_or_else(|| "Xcode is not installed".to_owned()));
        }
        let root = models::cache_folder(machine)?.join(format!("swift-{RELEASE}"));
        let needed = ["debootstrap", "unshare", "chroot"];
        let missing: Vec<&str> =
            needed.into_iter().filter(|program| machine.find(program).is_none()).collect();
        if !machine.is_root {
            return Ok(Err("entering a chroot with Debian 13's Swift needs root".to_owned()));
        }
        if !missing.is_empty() {
            return Ok(Err(format!(
                "{} is not on PATH, which the chroot with Swift needs",
                missing.join(", ")
            )));
        }
        if root.join(READY).exists() {
            return Ok(Ok(Self::Chroot(root)));
        }
        if mode != Mode::Install {
            return Ok(Err(
                "the chroot with Debian 13's Swift is not made yet; --setup makes it (4.4 GB)".to_owned()
            ));
        }
        make(&root, machine).map(|()| Ok(Self::Chroot(root)))
    }

    /// `command` with the checkout and llama.cpp's sources at hand: in the chroot as /work and /llama.
    pub(crate) fn run(&self, work: &Path, llama: &Path, command: &[String]) -> CommandLine {
        match self {
            Self::System => CommandLine::new("env", command.iter().cloned()),
            Self::Chroot(root) => {
                let paths = [root, work, llama].map(|path: &Path| path.display().to_string());
                CommandLine::new("unshare", ["--mount", "sh", "-e", "-c", ENTER, "sh"])
                    .args(paths)
                    .args(command.iter().cloned())
            }
        }
    }

    /// What the checkout is called where the command runs.
    pub(crate) fn work(&self, work: &Path) -> PathBuf {
        if *self == Self::System { work.to_owned() } else { PathBuf::from("/work") }
    }

    /// What llama.cpp's folder is called there.
    pub(crate) fn llama(&self, llama: &Path) -> PathBuf {
        if *self == Self::System { llama.to_owned() } else { PathBuf::from("/llama") }
    }
}

/// The commands that make the chroot, in order.
fn lines(root: &Path, mirror: &str) -> [CommandLine; 2] {
    let folder = root.display().to_string();
    let enter = "mount -t proc proc \"$1/proc\"; root=$1; shift; exec chroot \"$root\" \"$@\"";
    let install =
        "apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends ";
    [
        CommandLine::new(
            "debootstrap",
            ["--variant=minbase", "--include=ca-certificates,git,libc6-dev", RELEASE],
        )
        .arg(folder.clone())
        .arg(mirror),
        CommandLine::new("unshare", ["--mount", "sh", "-e", "-c", enter, "sh"]).arg(folder).args([
            "sh".to_owned(),
            "-c".to_owned(),
            format!("{install}{}", PACKAGES.join(" ")),
        ]),
    ]
}

fn make(root: &Path, machine: &Machine) -> Result<()> {
    if root.exists() {
        fs::remove_dir_all(root)
            .with_context(|| format!("cannot remove the unfinished {}", root.display()))?;
    }
    fs::create_dir_all(root).with_context(|| format!("cannot make {}", root.display()))?;
    let mirror = machine.var(MIRROR_VARIABLE).map_or(MIRROR.into(), |mirror| mirror.to_string_lossy());
    let [bootstrap, install] = lines(root, &mirror);
    eprintln!("setup: {bootstrap}");
    bootstrap.run_checked(machine, Exit::Missing)?;
    // The names and certificates that this machine trusts, a company's own among them.
    for file in ["etc/resolv.conf", "etc/ssl/certs/ca-certificates.crt"] {
        let from = machine.root.join(file);
        if from.exists() {
            fs::copy(&from, root.join(file)).with_context(|| format!("cannot copy {}", from.display()))?;
        }
    }
    eprintln!("setup: {install}");
    install.run_checked(machine, Exit::Missing)?;
    fs::write(root.join(READY), PACKAGES.join("\n"))
        .with_context(|| format!("cannot finish {}", root.display()))
}

#[cfg(test)]
mod tests {
    use crate::testing::FakeMachine;

    use super::*;

    fn debian() -> FakeMachine {
        let fake = FakeMachine::new("linux", "x86_64");
        fake.logged("debootstrap", "mkdir -p \"$4\"");
        fake.logged("unshare", "");
        fake.program("chroot", "");
        fake
    }

    #[test]
    fn it_is_made_once() {
        let fake = debian();
        let machine = fake.machine();
        let home = fake.folder().join("home/.cache/llama-conformance/swift-trixie");
        let refused = Swift::ensure(Mode::Look, &machine).unwrap().unwrap_err();
        assert!(refused.contains("--setup makes it"), "{refused}");
        for _ in 0..2 {
            let swift = Swift::ensure(Mode::Install, &machine).unwrap().unwrap();
            assert_eq!(swift, Swift::Chroot(home.clone()));
        }
        let log = fake.log();
        assert_eq!(log.lines().count(), 2, "{log}");
        assert!(log.starts_with(
            "debootstrap --variant=minbase --include=ca-certificates,git,libc6-dev trixie \
             ~/home/.cache/llama-conformance/swift-trixie http://deb.debian.org/debian\nunshare --mount sh -e -c"
        ));
        assert!(Swift::ensure(Mode::Look, &machine).unwrap().is_ok(), "it is there now");
    }

    #[test]
    fn what_stands_in_the_way_is_said() {
        let check = |fake: FakeMachine, words: &str| {
            let reason = Swift::ensure(Mode::Install, &fake.machine()).unwrap().unwrap_err();
            assert!(reason.contains(words), "{reason}");
        };
        check(debian().without_root(), "needs root");
        check(FakeMachine::new("linux", "x86_64"), "debootstrap, unshare, chroot is not on PATH");
        check(FakeMachine::new("macos", "aarch64"), "Xcode is not installed");
    }

    #[test]
    fn an_unfinished_one_is_made_anew() {
        let fake = debian();
        fake.program("unshare", "exit 1");
        assert!(Swift::ensure(Mode::Install, &fake.machine()).is_err());
        assert!(Swift::ensure(Mode::Look, &fake.machine()).unwrap().is_err());
    }

    #[test]
    fn a_command_runs_where_the_checkout_is_work() {
        let swift = Swift::Chroot("/c".into());
        let line = swift.run(Path::new("/here"), Path::new("/src"), &["swift".to_owned(), "test".to_owned()]);
        assert!(line.to_string().ends_with(" sh /c /here /src swift test"), "{line}");
        assert_eq!(swift.work(Path::new("/here")), Path::new("/work"));
        assert_eq!(
            Swift::System.run(Path::new("/h"), Path::new("/l"), &["swift".to_owned()]).to_string(),
            "env swift"
        );
    }
}
