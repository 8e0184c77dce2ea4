//! Command lines that make no sense, and programs that are not there.

use crate::support::{Answer, Project};

#[test]
fn mistakes_on_the_command_line_are_usage_errors() {
    let project = Project::new();
    for args in [
        &["frobnicate"][..],
        &["build", "--backend", "gpu"],
        &["test", "--jobs", "0"],
        &["models", "fetch", "x"],
    ] {
        let Answer { code, stdout, stderr } = project.run(args);
        assert_eq!((code, stdout.as_str()), (2, ""), "{args:?}: {stderr}");
    }
    let outside = project.command(&["doctor"]).current_dir(project.folder()).output().unwrap();
    let Answer { code, stderr, .. } = outside.into();
    assert_eq!(code, 2);
    assert!(stderr.starts_with("error: no llama-conformance checkout around "), "{stderr}");
}

#[test]
fn reports_need_a_place_of_their_own() {
    let project = Project::new();
    let before = project.files();
    let twice = project.run(&["test", "--json", "report", "--html", "./report"]);
    twice.assert_error(2, &["two reports would be written to ./report"]);
    project
        .run(&["test", "--github"])
        .assert_error(2, &["--github is for GitHub Actions", "GITHUB_STEP_SUMMARY"]);
    let summary =
        project.command(&["test", "--github"]).env("GITHUB_STEP_SUMMARY", "none/summary.md").output();
    Answer::from(summary.unwrap()).assert_error(3, &["none/summary.md, which GITHUB_STEP_SUMMARY names"]);
    assert_eq!(project.files(), before);
}

#[cfg(not(target_os = "macos"))]
#[test]
fn a_backend_that_this_machine_cannot_build_has_its_reason() {
    let Answer { code, stderr, .. } = Project::new().run(&["build", "--backend", "cpu,metal"]);
    assert_eq!(code, 4);
    assert!(stderr.starts_with("error: metal: needs macOS, and this machine is "), "{stderr}");
}

#[test]
fn missing_programs_are_named_and_nothing_is_written() {
    let project = Project::new();
    let before = project.files();
    let missing =
        ["C and C++ compiler is missing", "cmake is missing (configures llama.cpp's build): ", "--setup"];
    project.run(&["test"]).assert_error(4, &missing);
    assert_eq!(project.files(), before);
}

#[cfg(target_os = "linux")]
#[test]
fn setup_installs_with_the_systems_manager() {
    let project = Project::new();
    project.program("sudo", "exec \"$@\"");
    project.program("apt-get", "echo apt-get \"$@\"; exit 100");
    let Answer { code, stderr, .. } = project.run(&["build", "--setup"]);
    assert_eq!(code, 4);
    assert!(stderr.contains("apt-get update\n"), "{stderr}");
    assert!(stderr.contains("apt-get update` failed: exit status: 100"), "{stderr}");
}

#[test]
fn outside_of_a_checkout_findings_are_explained_all_the_same() {
    let project = Project::new();
    let answer: Answer =
        project.command(&["explain", "address-space"]).current_dir(project.folder()).output().unwrap().into();
    assert_eq!(answer.code, 0, "{answer:#?}");
    for key in ["extended-virtual-addressing", "increased-memory-limit"] {
        assert!(answer.stdout.contains(&format!("com.apple.developer.kernel.{key}")), "{answer:#?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_is_gone_is_said() {
    let project = Project::new();
    let gone = project.folder().join("gone");
    std::fs::create_dir(&gone).unwrap();
    let mut shell = std::process::Command::new("/bin/sh");
    shell.args(["-c", "cd ../gone && rmdir ../gone && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_xtask")]);
    let answer: Answer =
        project.in_environment(shell, &["doctor"]).env("PATH", "/bin:/usr/bin").output().unwrap().into();
    answer.assert_error(2, &["the current folder is gone", "change into a llama-conformance checkout"]);
}

#[cfg(target_os = "linux")]
#[test]
fn output_to_a_full_disk_is_one_clear_error() {
    for args in [&["doctor"][..], &["explain", "--list"], &["models", "list"]] {
        let project = Project::new();
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let answer: Answer = project.command(args).stdout(full).output().unwrap().into();
        answer.assert_error(5, &["cannot write to st", "No space left on device"]);
    }
}
