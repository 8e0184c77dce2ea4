//! What is generated from the cases, and what is said of subjects in their files.

use std::path::Path;

use device::{PHONES, swift_tests};
use judge::setup::{Folders, Suite};

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn suite() -> Suite {
    Suite::read(&Folders::of_workspace(&root())).unwrap()
}

#[test]
fn the_generated_tests_are_those_of_the_cases() {
    let suite = suite();
    let made = swift_tests(suite.cases.iter().map(|case| case.id.as_str())).unwrap();
    let file = root().join("ios-runner/Xcode/Tests/Cases.swift");
    let there = std::fs::read_to_string(file).unwrap();
    assert!(made == there, "ios-runner/Xcode/Tests/Cases.swift is old: run `cargo xtask device generate`");
}

#[test]
fn every_place_has_a_floor() {
    let text = std::fs::read_to_string(root().join("cases/floors.json")).unwrap();
    for phone in PHONES {
        assert!(text.contains(&format!("{:?}:", phone.name)), "cases/floors.json knows no {}", phone.name);
    }
}
