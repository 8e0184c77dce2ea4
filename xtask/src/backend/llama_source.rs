//! `--llama-src DIR`: another llama.cpp in the place of the one that llama-cpp-sys-2 carries.
//!
//! The package of the bindings is copied beside a link to the checkout, and cargo is told to take it from there: its
//! build script then compiles that llama.cpp and makes the bindings from its headers.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::Deserialize;

use crate::command_line::CommandLine;
use crate::digest;
use crate::exit::{Exit, OrExit as _};
use crate::machine::Machine;
use crate::workspace::Workspace;

/// The package that carries llama.cpp.
const BINDINGS: &str = "llama-cpp-sys-2";

/// What every checkout has.
const LANDMARKS: &[&str] = &["CMakeLists.txt", "include/llama.h", "ggml/include/ggml.h"];

/// What of the package is left out, or changed.
const WRITTEN_APART: &[&str] = &["Cargo.lock", "Cargo.toml"];

/// What of a checkout ends up in a probe.
const SOURCES: &[&str] = &["CMakeLists.txt", "cmake", "ggml", "include", "src"];

/// A llama.cpp checkout that probes are built against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LlamaSource {
    dir: PathBuf,
    package: PathBuf,
    label: String,
}

impl LlamaSource {
    /// Finds the checkout at `dir` and puts the bindings' package beside a link to it.
    ///
    /// # Errors
    /// When `dir` holds no llama.cpp, or the bindings' package cannot be found or copied.
    pub(crate) fn prepare(dir: &Path, workspace: &Workspace, machine: &Machine) -> Result<Self> {
        let source = Self::find(dir, workspace)?;
        let original = bindings_folder(workspace, machine)?;
        source
            .copy_package(&original)
            .with_context(|| format!("cannot copy {BINDINGS}"))
            .or_exit(Exit::Broken)?;
        Ok(source)
    }

    /// The checkout at `dir`.
    fn find(dir: &Path, workspace: &Workspace) -> Result<Self> {
        let missing = |file: &str| {
            Exit::Input.error(format!(
                "{}: no llama.cpp checkout, {file} is missing; give the folder that holds it",
                dir.display()
            ))
        };
        let dir = dir.canonicalize().map_err(|_| missing("the folder itself"))?;
        if let Some(absent) = LANDMARKS.iter().find(|file| !dir.join(file).is_file()) {
            return Err(missing(absent));
        }
        let id = &digest::of_tree(&dir, &[], &[dir.display().to_string()])?[..8];
        let name = dir
            .file_name()
            .map_or_else(|| "llama.cpp".to_owned(), |name| name.to_string_lossy().into_owned());
        let package = workspace.target().join("llama-src").join(id).join(BINDINGS);
        Ok(Self { label: format!("{name}-{id}"), dir, package })
    }

    /// The checkout.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// A name for folders: the checkout's own, and what tells it from others of that name.
    pub(crate) fn label(&self) -> &str {
        &self.label
    }

    /// What cargo is to take instead of the registry's package.
    pub(super) fn package(&self) -> &Path {
        &self.package
    }

    /// A hash of everything in the checkout that ends up in a probe.
    pub(super) fn hash(&self) -> Result<String> {
        let there: Vec<&str> = SOURCES.iter().copied().filter(|path| self.dir.join(path).exists()).collect();
        digest::of_tree(&self.dir, &there, &[])
    }

    /// Copies what is new of the package at `original`, leaving its llama.cpp out. Cargo looks at times: a file that
    /// is the same stays untouched.
    fn copy_package(&self, original: &Path) -> std::io::Result<()> {
        fs::create_dir_all(self.package.join("src"))?;
        for folder in ["", "src"] {
            for entry in fs::read_dir(original.join(folder))? {
                let entry = entry?;
                if entry.file_type()?.is_file()
                    && !WRITTEN_APART.iter().any(|name| entry.file_name() == *name)
                {
                    let text = fs::read(entry.path())?;
                    write_if_new(&self.package.join(folder).join(entry.file_name()), &text)?;
                }
            }
        }
        let mut manifest = fs::read(original.join("Cargo.toml"))?;
        // It lies in a workspace that it is no part of.
        manifest.extend_from_slice(b"\n[workspace]\n");
        write_if_new(&self.package.join("Cargo.toml"), &manifest)?;
        link(&self.dir, &self.package.join("llama.cpp"))
    }
}

fn write_if_new(path: &Path, text: &[u8]) -> std::io::Result<()> {
    if fs::read(path).is_ok_and(|there| there == text) { Ok(()) } else { fs::write(path, text) }
}

#[cfg(unix)]
fn link(to: &Path, at: &Path) -> std::io::Result<()> {
    if fs::read_link(at).is_ok_and(|there| there == to) {
        return Ok(());
    }
    let _ = fs::remove_file(at);
    std::os::unix::fs::symlink(to, at)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> std::io::Result<()> {
    Err(std::io::Error::other("symbolic links are needed, and this system has none"))
}

/// Where cargo has unpacked the bindings' package.
pub(crate) fn bindings_folder(workspace: &Workspace, machine: &Machine) -> Result<PathBuf> {
    let line = CommandLine::new("cargo", ["metadata", "--format-version", "1", "--locked"])
        .in_folder(workspace.root());
    let answer = line.capture(machine, Exit::Missing)?;
    let metadata: Metadata = serde_json::from_str(&answer)
        .with_context(|| format!("`{line}` printed something else than its format"))?;
    let package = metadata.packages.into_iter().find(|package| package.name == BINDINGS);
    let manifest = package.with_context(|| format!("`{line}` does not list {BINDINGS}"))?.manifest_path;
    Ok(manifest.parent().unwrap_or(Path::new("")).to_owned())
}

/// What we read of `cargo metadata`.
#[derive(Debug, Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Debug, Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
}

#[cfg(test)]
impl LlamaSource {
    /// A checkout in the fake machine's folder, and what is known of it.
    pub(super) fn fake(fake: &crate::testing::FakeMachine) -> (PathBuf, Self) {
        let dir = fake.folder().join("their-llama");
        for file in LANDMARKS {
            let path = dir.join(file);
            fs::create_dir_all(path.parent().unwrap_or(&dir)).unwrap_or_default();
            fs::write(path, "").unwrap_or_default();
        }
        let source = Self::find(&dir, &fake.workspace());
        (dir, source.unwrap_or_else(|error| panic!("{error}")))
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::FakeMachine;

    use super::*;

    /// A bindings' package and a cargo that knows where it is.
    fn bindings(fake: &FakeMachine) -> PathBuf {
        let folder = fake.folder().join("registry/llama-cpp-sys-2");
        fs::create_dir_all(folder.join("src")).unwrap();
        fs::create_dir_all(folder.join("llama.cpp/include")).unwrap();
        for (file, text) in
            [("Cargo.toml", "[package]\n"), ("build.rs", "fn main() {}"), ("src/lib.rs", "//")]
        {
            fs::write(folder.join(file), text).unwrap();
        }
        let manifest = folder.join("Cargo.toml");
        let answer = serde_json::json!({"packages": [{"name": BINDINGS, "manifest_path": manifest}]});
        fake.logged("cargo", &format!("echo '{answer}'"));
        folder
    }

    #[test]
    fn what_is_no_checkout_is_an_input_error_that_names_what_is_missing() {
        for absent in LANDMARKS {
            let fake = FakeMachine::new("linux", "x86_64");
            let (dir, _) = LlamaSource::fake(&fake);
            fs::remove_file(dir.join(absent)).unwrap();
            let error = LlamaSource::prepare(&dir, &fake.workspace(), &fake.machine()).unwrap_err();
            assert_eq!(Exit::of(&error), Exit::Input);
            assert!(error.to_string().contains(&format!("{absent} is missing")), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_package_is_copied_around_the_checkout_and_stays_untouched() {
        let fake = FakeMachine::new("linux", "x86_64");
        bindings(&fake);
        let (dir, _) = LlamaSource::fake(&fake);
        let prepare = || LlamaSource::prepare(&dir, &fake.workspace(), &fake.machine()).unwrap();
        let source = prepare();
        assert!(source.package().starts_with(fake.workspace().target()));
        assert_eq!(
            fs::read_to_string(source.package().join("Cargo.toml")).unwrap(),
            "[package]\n\n[workspace]\n"
        );
        assert!(source.package().join("llama.cpp/include/llama.h").is_file());
        assert!(!source.package().join("llama.cpp/include").is_symlink());
        let time = || {
            ["Cargo.toml", "build.rs", "src/lib.rs"]
                .map(|file| fs::metadata(source.package().join(file)).unwrap().modified().unwrap())
        };
        let before = time();
        assert_eq!(prepare(), source);
        assert_eq!(time(), before);
    }

    #[test]
    fn another_checkout_is_another_hash_and_folder() {
        let (one, other) = (FakeMachine::new("linux", "x86_64"), FakeMachine::new("linux", "x86_64"));
        let (first, second) = (LlamaSource::fake(&one).1, LlamaSource::fake(&other).1);
        assert_ne!(first.label(), second.label());
        assert_eq!(first.hash().unwrap(), second.hash().unwrap());
        fs::write(second.dir().join("include/llama.h"), "enum llama_load_mode {};").unwrap();
        assert_ne!(first.hash().unwrap(), second.hash().unwrap());
    }
}
