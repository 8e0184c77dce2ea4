//! `review`: what waits is listed by what it means, and nothing is decided by accident.

use crate::support::{Answer, Project};

/// A golden, as insta keeps it.
fn golden(answer: &str, stop: &str) -> String {
    format!(
        "---\nsource: cases/eog/nothing.json\ndescription: \"why\"\n---\n{{\"made_by\": \"x\", \"observation\": {{\"ending\": \
         \"completed\", \"turns\": [{{\"answer\": \"{answer}\", \"stop\": {{\"reason\": \"{stop}\"}}}}]}}}}\n"
    )
}

/// A project in which two goldens wait.
fn waiting() -> Project {
    let project = Project::new();
    project.write("golden/m/eog__a.snap", &golden("Paris", "length"));
    project.write("golden/m/eog__a.snap.new", &golden("Paris", "eog"));
    project.write("golden/m/eog__b.snap.new", &golden("Lyon", "eog"));
    project
}

fn golden_files(project: &Project) -> Vec<String> {
    let files = project.files();
    let mut names: Vec<String> = files
        .keys()
        .filter(|path| path.is_file())
        .filter_map(|path| Some(path.strip_prefix(project.root().join("golden")).ok()?.display().to_string()))
        .collect();
    names.sort();
    names
}

#[test]
fn without_a_terminal_the_commands_are_printed_and_nothing_happens() {
    let project = waiting();
    let before = project.files();
    let Answer { code, stdout, stderr } = project.run(&["review"]);
    assert_eq!((code, stderr.as_str()), (1, ""));
    for line in [
        "2 goldens wait for review:",
        "  - stop reason length → eog",
        "  - answer \"Lyon\"",
        "  cargo xtask review --accept m/eog/a",
        "  cargo xtask review --reject m/eog/b",
    ] {
        assert!(stdout.lines().any(|said| said == line), "{line:?} is not in {stdout}");
    }
    assert_eq!(project.files(), before);
}

#[test]
fn accepted_and_rejected_by_name_and_all_only_with_a_yes() {
    let project = waiting();
    project.run(&["review", "--accept", "*"]).assert_error(2, &["all 2 pending goldens", "--all --yes"]);
    project.run(&["review", "--accept", "--all"]).assert_error(2, &["add --yes"]);
    assert_eq!(project.run(&["review", "--accept", "m/eog/a"]).code, 0);
    assert_eq!(golden_files(&project), ["m/eog__a.snap", "m/eog__b.snap.new"]);
    assert_eq!(
        project.files()[&project.root().join("golden/m/eog__a.snap")],
        golden("Paris", "eog").as_bytes()
    );
    assert_eq!(project.run(&["review", "--reject", "--all", "--yes"]).code, 0);
    assert_eq!(golden_files(&project), ["m/eog__a.snap"]);
    let nothing = project.run(&["review"]);
    assert_eq!(nothing.code, 0);
    assert!(nothing.stdout.starts_with("nothing waits for review"), "{nothing:?}");
}

#[test]
fn what_is_no_golden_and_what_no_case_asks_for_is_said() {
    let project = waiting();
    let Answer { code, stdout, .. } = project.run(&["review", "--unreferenced"]);
    assert_eq!((code, stdout.lines().last()), (1, Some("  git rm golden/m/eog__a.snap")));
    project.write("golden/m/eog__b.snap.new", "---\n---\n{");
    project.run(&["review"]).assert_error(3, &["eog__b.snap.new: not a golden"]);
}
