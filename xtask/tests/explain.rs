//! `cargo xtask explain` as a person meets it.
#![forbid(unsafe_code)]

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

/// The command's exit code, standard output and standard error, with `input` on standard input.
fn explain(args: &[&str], input: &[u8]) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .arg("explain")
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that does not read its input closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(input);
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

const LOG: &[u8] =
    b"\x1b[31mllama_model_load: error loading model: mmap failed: Cannot allocate memory\x1b[0m\r\n";

#[test]
fn a_log_from_a_file_or_from_standard_input() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), LOG).unwrap();
    let path = file.path().to_str().unwrap();
    let (code, from_file, stderr) = explain(&["--log", path], b"");
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(from_file.contains("cause: address space, not memory [address-space, load]"), "{from_file}");
    for args in [&[][..], &["--log", "-"]] {
        assert_eq!(explain(args, LOG), (0, from_file.clone(), String::new()));
    }
}

#[test]
fn nothing_known_is_no_failure() {
    let (code, stdout, _) = explain(&[], b"all is well\n");
    assert_eq!(code, 0);
    assert!(stdout.starts_with("nothing recognised in 1 line: looked for "), "{stdout}");
}

#[test]
fn json_is_json() {
    for args in [&["--json"][..], &["address-space", "--json"], &["--list", "--json"]] {
        let (code, stdout, _) = explain(args, LOG);
        assert_eq!(code, 0);
        serde_json::from_str::<serde_json::Value>(&stdout).unwrap();
    }
}

#[test]
fn a_finding_by_its_name() {
    let (code, stdout, _) = explain(&["double-bos"], b"");
    assert_eq!(code, 0);
    assert!(stdout.contains("cargo xtask test --filter template/double-bos-is-found"), "{stdout}");
}

#[test]
fn mistakes_have_their_exit_codes() {
    let (code, _, stderr) = explain(&["adress-space"], b"");
    assert_eq!(code, 2);
    assert!(stderr.contains("did you mean address-space? "), "{stderr}");
    assert_eq!(explain(&["address-space", "--list"], b"").0, 2);
    for path in ["no/such.log", "src"] {
        let (code, _, stderr) = explain(&["--log", path], b"");
        assert_eq!(code, 3);
        assert!(stderr.starts_with(&format!("error: {path}: cannot read the log: ")), "{stderr}");
    }
}
