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
