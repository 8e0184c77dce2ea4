//! `cargo xtask lint`: models, templates, and what is neither.

use std::fs;

use gguf::fixtures;
use serde_json::Value;

use crate::support::{Answer, Project};

const SMOLLM2: &str = include_str!("../../../harness/gguf/templates/smollm2.jinja");

#[test]
fn a_healthy_template_is_clean_and_what_was_not_asked_is_said() {
    let project = Project::new();
    project.write("smollm2.jinja", SMOLLM2);
    let Answer { code, stdout, stderr } = project.run(&["lint", "smollm2.jinja"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    for part in ["smollm2.jinja\n", "not asked: bos-missing, ", "--builtin asks", "\nnothing found\n"] {
        assert!(stdout.contains(part), "{part}\n{stdout}");
    }
}

#[test]
fn a_model_with_a_defect_is_told_with_cure_and_link_in_every_form() {
    let project = Project::new();
    let path = project.root().join("m.gguf");
    fs::write(&path, fixtures::by_name("compiled-gemma-no-template").unwrap().bytes()).unwrap();
    let Answer { code, stdout, .. } = project.run(&["lint", "m.gguf"]);
    assert_eq!(code, 1);
    for part in
        ["error (no-template): there is no chat template\n", "  cure: ", "  see https://", "1 error, "]
    {
        assert!(stdout.contains(part), "{part}\n{stdout}");
    }
    let Answer { code, stdout, .. } = project.run(&["lint", "m.gguf", "--json", "--sarif", "log.sarif"]);
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, &report["findings"][0]["code"]), (1, &"no-template".into()));
    let log: Value = serde_json::from_slice(&fs::read(project.root().join("log.sarif")).unwrap()).unwrap();
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "m.gguf");
}

#[test]
fn what_is_neither_is_one_error() {
    let project = Project::new();
    project.write("cut.gguf", "GGUF");
    project.run(&["lint", "cut.gguf"]).assert_error(3, &["cut.gguf: header, byte 4: needs 4 bytes"]);
    fs::write(project.root().join("bytes"), [0xff, 0xfe]).unwrap();
    project.run(&["lint", "bytes"]).assert_error(3, &["bytes: it is no text in UTF-8", "name a GGUF file"]);
    project.run(&["lint", "none"]).assert_error(2, &["no such model \"none\""]);
    project.write("t.jinja", SMOLLM2);
    project.run(&["lint", "t.jinja", "--builtin"]).assert_error(4, &["cargo xtask build --backend cpu"]);
    project
        .run(&["lint", "t.jinja", "--sarif", "no/log"])
        .assert_error(3, &["no/log: no report can be written there"]);
}
