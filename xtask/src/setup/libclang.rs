//! Where libclang lies. bindgen loads it as a shared library, so there is no program to ask.
//!
//! The places are those that the clang-sys crate looks in: `LIBCLANG_PATH` alone where it is set, else what
//! `llvm-config` says, else the system's library folders and two levels below them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command_line::CommandLine;
use crate::exit::Exit;
use crate::machine::Machine;

/// Folders to look in on Linux and other Unix systems, and how many levels below.
const UNIX: &[(&str, u32)] =
    &[("usr/lib", 2), ("usr/lib64", 2), ("usr/local/lib", 2), ("usr/local/lib64", 2)];

/// Folders to look in on a Mac.
const MAC: &[(&str, u32)] = &[
    ("Library/Developer/CommandLineTools/usr/lib", 0),
    ("Applications/Xcode.app/Contents/Developer/Toolchains/XcodeDefault.xctoolchain/usr/lib", 0),
    ("opt/homebrew/opt/llvm/lib", 0),
    ("usr/local/opt/llvm/lib", 0),
];

/// The libclang that bindgen will find.
pub(super) fn find(machine: &Machine) -> Option<PathBuf> {
    if let Some(path) = machine.path_var("LIBCLANG_PATH") {
        return if is_libclang(&path) && path.is_file() { Some(path) } else { in_folder(&path, 0) };
    }
    let configured = asked(machine, "llvm-config", "--libdir", "");
    let toolchain =
        asked(machine, "xcode-select", "--print-path", "Toolchains/XcodeDefault.xctoolchain/usr/lib")
            .filter(|_| machine.host.is_mac());
    let usual = if machine.host.is_mac() { MAC } else { UNIX };
    configured
        .into_iter()
        .chain(toolchain)
        .find_map(|folder| in_folder(&folder, 0))
        .or_else(|| usual.iter().find_map(|(folder, depth)| in_folder(&machine.root.join(folder), *depth)))
}

/// The folder that `program` names, and `below` it.
fn asked(machine: &Machine, program: &str, arg: &str, below: &str) -> Option<PathBuf> {
    machine.find(program)?;
    let answer = CommandLine::new(program, [arg]).capture(machine, Exit::Missing).ok()?;
    Some(Path::new(answer.lines().next()?.trim()).join(below))
}

/// A libclang in `folder` or at most `depth` levels below it; the first by name.
fn in_folder(folder: &Path, depth: u32) -> Option<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    entries.iter().find(|path| is_libclang(path) && path.exists()).cloned().or_else(|| {
        let depth = depth.checked_sub(1)?;
        entries.iter().filter(|path| path.is_dir()).find_map(|path| in_folder(path, depth))
    })
}

/// `libclang.so`, `libclang-14.so.1`, `libclang.so.1`, `libclang.dylib`; not `libclang-cpp`, the C++ library.
fn is_libclang(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let Some(rest) = name.strip_prefix("libclang") else { return false };
    let Some((middle, end)) = rest.split_once('.') else { return false };
    let is_version = middle.is_empty()
        || middle.strip_prefix('-').is_some_and(|v| v.starts_with(|c: char| c.is_ascii_digit()));
    // A version may have dots itself: libclang-14.0.6.so.
    is_version && (end == "dylib" || end.split('.').any(|part| part == "so"))
}

#[cfg(test)]
mod tests {
    use crate::testing::FakeMachine;

    use super::*;

    #[test]
    fn names() {
        for name in
            ["libclang.so", "libclang.so.1", "libclang-14.so.13", "libclang-14.0.6.so", "libclang.dylib"]
        {
            assert!(is_libclang(Path::new(name)), "{name}");
        }
        for name in
            ["libclang-cpp.so.14", "libclangAST.a", "libclang.a", "libclang", "clang.so", "libclang_rt.so"]
        {
            assert!(!is_libclang(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn is_found_in_the_usual_places() {
        let table = [
            ("linux", "usr/lib/x86_64-linux-gnu/libclang-14.so.1"),
            ("linux", "usr/lib/llvm-14/lib/libclang.so"),
            ("linux", "usr/lib64/libclang.so"),
            ("macos", "Library/Developer/CommandLineTools/usr/lib/libclang.dylib"),
            ("macos", "opt/homebrew/opt/llvm/lib/libclang.dylib"),
        ];
        for (os, place) in table {
            let fake = FakeMachine::new(os, "aarch64");
            assert_eq!(find(&fake.machine()), None);
            let path = fake.file(place);
            assert_eq!(find(&fake.machine()), Some(path));
        }
    }

    #[test]
    fn llvm_config_and_xcode_select_are_asked() {
        let fake = FakeMachine::new("linux", "x86_64");
        let path = fake.file("opt/llvm/lib/libclang.so");
        fake.program("llvm-config", &format!("echo {}", path.parent().unwrap().display()));
        assert_eq!(find(&fake.machine()), Some(path));

        let mac = FakeMachine::new("macos", "aarch64");
        let path = mac.file("X.app/Toolchains/XcodeDefault.xctoolchain/usr/lib/libclang.dylib");
        mac.program("xcode-select", "echo \"$BIN/../root/X.app\"");
        assert_eq!(find(&mac.machine()).unwrap().canonicalize().unwrap(), path.canonicalize().unwrap());
    }

    #[test]
    fn a_set_variable_is_the_only_place() {
        let mut fake = FakeMachine::new("linux", "x86_64");
        let path = fake.file("usr/lib/libclang.so");
        fake.set("LIBCLANG_PATH", fake.folder().join("nowhere"));
        assert_eq!(find(&fake.machine()), None);
        fake.set("LIBCLANG_PATH", path.parent().unwrap());
        assert_eq!(find(&fake.machine()), Some(path.clone()));
        fake.set("LIBCLANG_PATH", &path);
        assert_eq!(find(&fake.machine()), Some(path));
    }
}
