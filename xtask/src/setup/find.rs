//! Whether a need is there.

use std::path::PathBuf;

use super::libclang;
use super::need::Need;
use super::transformers;
use super::vulkan;
use crate::command_line::CommandLine;
use crate::exit::Exit;
use crate::machine::Machine;

/// Something that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Where.
    pub(crate) path: PathBuf,
    /// The first line of what it says about its version; empty where it says nothing.
    pub(crate) version: String,
}

/// Looks for `need`; `None` where it is missing or does not run.
pub(crate) fn find(need: Need, machine: &Machine) -> Option<Found> {
    match need {
        Need::CxxCompiler => {
            asked(machine, "cc", &["--version"])?;
            asked(machine, "c++", &["--version"])
        }
        Need::Make => asked(machine, "make", &["--version"]),
        Need::Cmake => asked(machine, "cmake", &["--version"]),
        Need::Libclang => libclang::find(machine).map(|path| Found { path, version: String::new() }),
        Need::Ccache => asked(machine, "ccache", &["--version"]),
        Need::Xcode => asked(machine, "xcrun", &["simctl", "help"])
            .map(|found| Found { version: String::new(), ..found }),
        Need::RustTarget(triple) => rust_target(triple, machine),
        Need::Rustfmt => asked(machine, "cargo", &["fmt", "--version"]),
        Need::Cargo => asked(machine, "cargo", &["--version"]),
        Need::Clippy => asked(machine, "cargo", &["clippy", "--version"]),
        Need::Pip => asked(machine, "python3", &["-m", "pip", "--version"]),
        Need::Transformers => transformers::find(machine),
        Need::Chromium => chromium(machine),
        Need::OpenBlas => library(machine, "libopenblas.so"),
        Need::PkgConfig => asked(machine, "pkg-config", &["--version"]),
        Need::Nvcc => asked(machine, "nvcc", &["--version"]),
        Need::Glslc => asked(machine, "glslc", &["--version"]),
        Need::SpirvHeaders => in_root(
            machine,
            &["usr/include/spirv/unified1/spirv.hpp", "usr/local/include/spirv/unified1/spirv.hpp"],
        ),
        Need::VulkanLoader => vulkan::sdk_loader(machine)
            .map(|path| Found { path, version: String::new() })
            .or_else(|| library(machine, "libvulkan.so")),
        Need::VulkanHeaders => vulkan::headers(machine)
            .map(|headers| Found { path: headers.include, version: headers.version.to_string() }),
        Need::ArmCompiler => asked(machine, "aarch64-linux-gnu-g++", &["--version"]),
        Need::Qemu => asked(machine, "qemu-aarch64", &["--version"]),
        Need::VulkanDriver => vulkan::driver(machine).map(|path| Found { path, version: String::new() }),
        Need::Tool(tool) => tool.find(machine),
    }
}

/// A program that is on PATH and answers.
/// The names are those that the tests in a browser look for (harness/browser/src/find.rs).
fn chromium(machine: &Machine) -> Option<Found> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let apps =
        ["Google Chrome", "Chromium"].map(|app| format!("Applications/{app}.app/Contents/MacOS/{app}"));
    names
        .iter()
        .find_map(|name| machine.find(name))
        .map(|path| Found { path, version: String::new() })
        .or_else(|| in_root(machine, &apps))
}

fn asked(machine: &Machine, program: &str, args: &[&str]) -> Option<Found> {
    let path = machine.find(program)?;
    let answer = CommandLine::new(program, args.iter().copied()).capture(machine, Exit::Missing).ok()?;
    Some(Found { path, version: answer.lines().next().unwrap_or_default().trim().to_owned() })
}

/// A library that programs can be linked with, in the system's folders.
fn library(machine: &Machine, name: &str) -> Option<Found> {
    let arch = machine.host.arch;
    let folders =
        [format!("usr/lib/{arch}-linux-gnu"), "usr/lib64".into(), "usr/lib".into(), "usr/local/lib".into()];
    let paths: Vec<String> = folders.iter().map(|folder| format!("{folder}/{name}")).collect();
    in_root(machine, &paths)
}

/// The first of `paths` below the machine's root that is a file.
fn in_root(machine: &Machine, paths: &[impl AsRef<str>]) -> Option<Found> {
    let path = paths.iter().map(|path| machine.root.join(path.as_ref())).find(|path| path.is_file())?;
    Some(Found { path, version: String::new() })
}

/// rustc knows the folder of every target; it is there once the target is installed.
fn rust_target(triple: &str, machine: &Machine) -> Option<Found> {
    let system = system_rustc(machine);
    let path = target_folder("rustc", triple, machine).or_else(|| target_folder(&system, triple, machine))?;
    Some(Found { path, version: String::new() })
}

/// The system's own rustc, where it has `triple` and the one on PATH does not: distributions package targets that a
/// machine without rustup's server cannot get.
pub(crate) fn other_rustc(triple: &str, machine: &Machine) -> Option<PathBuf> {
    let system = system_rustc(machine);
    let has = |rustc: &str| target_folder(rustc, triple, machine).is_some();
    (!has("rustc") && has(&system)).then(|| system.into())
}

fn system_rustc(machine: &Machine) -> String {
    machine.root.join("usr/bin/rustc").display().to_string()
}

fn target_folder(rustc: &str, triple: &str, machine: &Machine) -> Option<PathBuf> {
    let line = CommandLine::new(rustc, ["--print", "target-libdir", "--target", triple]);
    let path = PathBuf::from(line.capture(machine, Exit::Missing).ok()?.trim());
    path.is_dir().then_some(path)
}

#[cfg(test)]
mod tests {
    use crate::testing::FakeMachine;

    use super::*;

    #[test]
    fn a_program_says_its_version() {
        let fake = FakeMachine::new("linux", "x86_64");
        assert_eq!(find(Need::Cmake, &fake.machine()), None);
        let path = fake.program("cmake", "echo 'cmake version 3.25.1'; echo more");
        let version = "cmake version 3.25.1".to_owned();
        assert_eq!(find(Need::Cmake, &fake.machine()), Some(Found { path, version }));
    }

    #[test]
    fn a_program_that_does_not_run_is_missing() {
        let fake = FakeMachine::new("macos", "aarch64");
        fake.program("cc", "exit 0");
        // What a Mac without the command line tools has.
        fake.program("c++", "echo 'xcrun: error: invalid active developer path' >&2; exit 1");
        assert_eq!(find(Need::CxxCompiler, &fake.machine()), None);
        fake.program("c++", "echo Apple clang");
        assert!(find(Need::CxxCompiler, &fake.machine()).is_some());
    }

    #[test]
    fn python_without_pip_is_not_enough() {
        let fake = FakeMachine::new("linux", "x86_64");
        fake.program("python3", "echo 'No module named pip' >&2; exit 1");
        assert_eq!(find(Need::Pip, &fake.machine()), None);
    }

    #[test]
    fn the_systems_rustc_helps_out() {
        let fake = FakeMachine::new("linux", "x86_64");
        fake.program("rustc", "echo /nowhere/$4");
        assert_eq!(other_rustc("t", &fake.machine()), None);
        let system = fake.machine().root.join("usr/bin/rustc");
        std::fs::create_dir_all(system.parent().unwrap()).unwrap();
        std::fs::copy(fake.program("other", "echo /usr/bin"), &system).unwrap();
        assert_eq!(other_rustc("t", &fake.machine()), Some(system));
        assert!(find(Need::RustTarget("t"), &fake.machine()).is_some());
        fake.program("rustc", "echo /usr");
        assert_eq!(other_rustc("t", &fake.machine()), None);
    }

    #[test]
    fn a_rust_target_is_a_folder() {
        let fake = FakeMachine::new("macos", "aarch64");
        fake.program("rustc", "echo \"$BIN/../lib/$4\"");
        let need = Need::RustTarget("aarch64-apple-ios-sim");
        assert_eq!(find(need, &fake.machine()), None);
        std::fs::create_dir_all(fake.folder().join("lib/aarch64-apple-ios-sim")).unwrap();
        assert!(find(need, &fake.machine()).is_some());
    }
}
