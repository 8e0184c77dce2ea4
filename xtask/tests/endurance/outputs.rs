//! Full disks and places that cannot be written: no half file, exit code 5, and a message with path and cure.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use judge::subject::Recording;
use libtest_mimic::Trial;
use serde_json::json;

use crate::stage::Stage;
use crate::support::Answer;
use crate::trial;

pub(crate) fn trials() -> Vec<Trial> {
    let root = rustix::process::geteuid().is_root();
    let mut trials = vec![
        trial("outputs", "full-recording", a_recording_on_a_full_disk),
        trial("outputs", "full-report", a_report_on_a_full_disk),
        trial("outputs", "full-golden", a_golden_on_a_full_disk),
        trial("outputs", "full-fixture", a_fixture_on_a_full_disk),
        trial("outputs", "golden-is-a-file", a_golden_folder_that_is_a_file),
        // Nothing is read-only for root.
        trial("outputs", "golden-is-read-only", a_read_only_golden_folder).with_ignored_flag(root),
    ];
    if cfg!(target_os = "linux") {
        trials.push(trial("outputs", "full-device", a_report_to_a_full_device));
    }
    trials
}

fn a_recording_on_a_full_disk() {
    let stage = Stage::new(&[("a", "pass"), ("b", "big-log"), ("c", "pass")]);
    let args = ["test", "--record", "recording", "--json", "report", "--jobs", "1"];
    let answer = stage.run_on_full_disk(&args);
    answer
        .assert_error(5, &["cannot write recording/items/cpu---eog-b-", "free some space", "File too large"]);
    let items = Recording::open(stage.path("recording")).and_then(|recording| recording.items());
    let keys: Vec<String> = items.expect("whole items").into_iter().map(|item| item.key).collect();
    assert_eq!(keys, ["cpu/-/eog/a"]);
    assert_eq!(fs::read_dir(stage.path("recording/items")).expect("a folder").count(), 1);
    assert!(!stage.path("report").exists());
    stage.alive.await_end();
}

fn a_report_on_a_full_disk() {
    let stage = Stage::new(&[("a", "big-refusal")]);
    stage.project.write("reports/report", "an older one");
    let answer = stage.run_on_full_disk(&["test", "--json", "reports/report"]);
    answer.assert_error(5, &["reports/report: cannot write the report", "File too large"]);
    assert_eq!(fs::read_to_string(stage.path("reports/report")).expect("a file"), "an older one");
    assert_eq!(fs::read_dir(stage.path("reports")).expect("a folder").count(), 1);
}

fn a_report_to_a_full_device() {
    let stage = Stage::new(&[("a", "pass")]);
    let answer = stage.run(&["test", "--json", "/dev/full"]);
    answer.assert_error(5, &["/dev/full: cannot write the report", "No space left on device"]);
}

/// A case whose answer may become a golden.
fn golden_stage(deed: &str) -> Stage {
    let stage = Stage::new(&[]);
    stage.model();
    stage.case("a", deed, &json!({"models": ["tiny"], "checks": [{"golden": {}}]}));
    stage.case("b", "pass", &json!({}));
    stage
}

const WITH_GOLDENS: [&str; 7] = ["test", "--backend", "cpu-baseline", "--model", "tiny", "--json", "report"];

/// The golden's item is broken, and says `parts`.
#[track_caller]
fn assert_broken(stage: &Stage, answer: &Answer, parts: &[&str]) {
    assert_eq!(answer.code, 5, "{answer:#?}");
    let report = stage.report("report");
    let result = &report["results"][0];
    assert_eq!((&result["case"], &result["outcome"]), (&json!("eog/a"), &json!("broken")), "{report:#}");
    let reason = result["reason"].as_str().expect("a reason");
    for part in parts {
        assert!(reason.contains(part), "{reason:?} does not say {part:?}");
        assert!(answer.stdout.contains(part), "{answer:#?}");
    }
}

const CANNOT: [&str; 2] = ["golden/tiny/eog__a.snap.new: cannot write a pending golden", "--no-stage"];

fn a_golden_on_a_full_disk() {
    let stage = golden_stage("big-answer");
    let answer = stage.run_on_full_disk(&WITH_GOLDENS);
    assert_broken(&stage, &answer, &CANNOT);
    assert_eq!(fs::read_dir(stage.path("golden/tiny")).expect("a folder").count(), 0);
}

fn a_golden_folder_that_is_a_file() {
    let stage = golden_stage("answer 42");
    stage.project.write("golden/tiny", "not a folder");
    stage.project.write("report", "");
    stage.run(&["build", "--backend", "cpu-baseline"]);
    let before = stage.project.files();
    assert_broken(&stage, &stage.run(&WITH_GOLDENS), &CANNOT);
    let mut after = stage.project.files();
    after.insert(stage.path("report"), Vec::new());
    assert!(after == before, "something besides the report changed on disk");
}

fn a_read_only_golden_folder() {
    let stage = golden_stage("answer 42");
    let folder = stage.path("golden");
    fs::create_dir(&folder).expect("a folder");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).expect("a folder of ours");
    assert_broken(&stage, &stage.run(&WITH_GOLDENS), &CANNOT);
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 0);
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).expect("a folder of ours");
    let answer = stage.run(&WITH_GOLDENS);
    assert!(stage.path("golden/tiny/eog__a.snap.new").exists(), "{answer:#?}");
}

fn a_fixture_on_a_full_disk() {
    let stage = Stage::new(&[("a", "pass")]);
    let models = r#"[{"name": "compiled-chatml", "kind": "fixture", "role": "chat"}]"#;
    stage.project.write("cases/models.json", models);
    let answer = stage.run_on_full_disk(&["test"]);
    answer.assert_error(5, &["cannot write ", "target/fixtures/compiled-chatml.gguf", "File too large"]);
    assert_eq!(fs::read_dir(stage.path("target/fixtures")).expect("a folder").count(), 0);
}
