//! `cargo xtask verify`: files as people have them, and files that want to hurt.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use gguf::{TensorType, Writer, fixtures};
use serde_json::Value;

use crate::sample::{bytes, project_with, sha256};
use crate::support::{Answer, Project};

/// A file of the project.
fn file(project: &Project, name: &str, contents: &[u8]) -> PathBuf {
    let path = project.root().join(name);
    fs::write(&path, contents).unwrap();
    path
}

#[test]
fn a_sound_file_is_said_to_be_sound_and_a_checksum_is_asked_for() {
    let project = Project::new();
    let contents = fixtures::by_name("compiled-chatml").unwrap().bytes();
    file(&project, "m.gguf", &contents);
    let Answer { code, stdout, stderr } = project.run(&["verify", "m.gguf"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    for part in ["m.gguf\n  2.8 MB, GGUF version 3", "21 tensors\n  16 f16, 5 f32", "sound: ", "--sha256 SUM"]
    {
        assert!(stdout.contains(part), "{part}\n{stdout}");
    }
    let sum = sha256(&contents);
    let right = project.run(&["verify", "m.gguf", "--sha256", &sum.to_uppercase()]);
    assert!(right.code == 0 && right.stdout.contains("as --sha256 says"), "{right:?}");
    let wrong = project.run(&["verify", "m.gguf", "--sha256", &"0".repeat(64)]);
    assert!(
        wrong.code == 1 && wrong.stdout.contains(&format!("error (checksum): has sha256 {sum}")),
        "{wrong:?}"
    );
    project.run(&["verify", "m.gguf", "--sha256", "ab"]).assert_error(2, &["64 hexadecimal digits"]);
    let both = format!("{sum},{sum}");
    project.run(&["verify", "m.gguf", "--sha256", &both]).assert_error(2, &["2 checksums for 1 files"]);
}

#[test]
fn a_damaged_file_is_a_verdict_in_json_too() {
    let project = Project::new();
    file(&project, "m.gguf", &fixtures::by_name("compiled-gemma-poisoned").unwrap().bytes());
    let Answer { code, stdout, .. } = project.run(&["verify", "m.gguf", "--json"]);
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, &report["sound"]), (1, &Value::Bool(false)));
    let problem = &report["problems"][0];
    assert_eq!((&problem["code"], &problem["tensor"]), (&"nan".into(), &"token_embd.weight".into()));
    assert!(problem["byte"].as_u64().is_some_and(|byte| byte > 0));
    file(&project, "page.gguf", b"<!doctype html>");
    let Answer { code, stdout, .. } = project.run(&["verify", "page.gguf"]);
    assert!(code == 1 && stdout.contains("header, byte 4: begins with"), "{stdout}");
}

#[test]
fn a_listed_model_is_compared_with_its_checksum_under_either_name() {
    let project = project_with("pypi", "\"tiny-a==1\"", "\"tiny/m\"");
    project.run(&["verify", "tiny"]).assert_error(3, &["tiny is not here yet", "models fetch tiny"]);
    let path = project.folder().join("cache/models/tiny.gguf");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes()).unwrap();
    for name in ["tiny", path.to_str().unwrap()] {
        let Answer { code, stdout, .. } = project.run(&["verify", name]);
        assert!(code == 0 && stdout.contains("as models.json of tiny says"), "{stdout}");
    }
    project.run(&["verify", "tyny"]).assert_error(2, &["no such model \"tyny\"", "did you mean \"tiny\"?"]);
}

#[test]
fn outside_of_a_checkout_a_path_is_enough() {
    let project = Project::new();
    file(&project, "m.gguf", &bytes());
    let run = |name: &str| -> Answer {
        let path = project.root().join(name);
        let mut command = project.command(&["verify", path.to_str().unwrap()]);
        command.current_dir(project.folder().join("home")).output().unwrap().into()
    };
    assert_eq!(run("m.gguf").code, 0);
    run("none.gguf").assert_error(3, &["none.gguf is not there", "pass the path of a GGUF file"]);
    run("cases").assert_error(3, &["is no regular file"]);
}

/// A header that claims `tensors` and `pairs`, and a body.
fn header(tensors: u64, pairs: u64, body: &[u8]) -> Vec<u8> {
    [b"GGUF\x03\0\0\0", &tensors.to_le_bytes()[..], &pairs.to_le_bytes(), body].concat()
}

/// Files that claim far more than they hold, and one that is far larger than the memory that there is: all in a process
/// that gets no more address space than `LIMIT`.
#[cfg(target_os = "linux")]
#[test]
fn what_a_file_claims_takes_no_memory() {
    /// KiB: what the program itself maps, and some.
    const LIMIT: &str = "98304";
    let project = Project::new();
    let key = [&1_u64.to_le_bytes()[..], b"k"].concat();
    let array = [&key[..], &[9, 0, 0, 0, 10, 0, 0, 0], &(1_u64 << 61).to_le_bytes()].concat();
    let text = [&key[..], &[8, 0, 0, 0], &(1_u64 << 40).to_le_bytes()].concat();
    let hostile = [
        ("counts.gguf", header(1 << 60, 1 << 60, &[0; 64]), "claims 1152921504606846976 tensors"),
        ("array.gguf", header(0, 1, &array), "claims 2305843009213693952 array elements"),
        ("text.gguf", header(0, 1, &text), "claims 1099511627776 bytes of text"),
    ];
    let mut table: Vec<(PathBuf, &str)> = Vec::new();
    for (name, contents, said) in &hostile {
        table.push((file(&project, name, contents), said));
    }
    let mut sparse = Writer::new("llama");
    sparse.zeros("m", &[1 << 12, 1 << 14], TensorType::F16).unwrap();
    sparse.write_to(&project.root().join("large.gguf")).unwrap();
    table.push((project.root().join("large.gguf"), "the last 134217728 bytes are zeros"));
    for (path, said) in table {
        let mut shell = Command::new("sh");
        let script = format!("ulimit -v {LIMIT} && exec \"$@\"");
        shell.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_xtask")]);
        let answer: Answer = project
            .in_environment(shell, &["verify", path.to_str().unwrap()])
            .env("PATH", "/bin")
            .output()
            .unwrap()
            .into();
        assert!(answer.code == 1 && answer.stdout.contains(said), "{said}: {answer:#?}");
    }
}
