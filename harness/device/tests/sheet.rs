//! A sheet goes out, files come back, a recording is made of them.

#![expect(clippy::needless_pass_by_value, reason = "changes are written where they are made")]

use std::fs;
use std::path::Path;

use device::{Answer, Collected, Question, SHEET_VERSION, Sheet, SheetError, collect, record};
use judge::subject::{RecordedRun, Recording};
use serde_json::{Value, json};
use wire::{Card, Ending, Thermal};

const CASES: [&str; 4] = ["a/one", "a/two", "b/three", "b/four"];

fn card(name: &str) -> Card {
    Card { backend: name.to_owned(), ..device::assumed_card(name) }
}

fn sheet() -> Sheet {
    let question = |(index, case): (usize, &&str)| {
        Question {
        key: format!("ios-device/m/{case}"),
        case: (*case).to_owned(),
        file: format!("{index}.json"),
        needs: vec![],
        request: serde_json::from_value(json!({
            "id": index, "model": {"name": "m", "path": "m.gguf"}, "stimulus": {"inspect": {}}, "forced_tokens": [1]
        }))
        .unwrap(),
    }
    };
    Sheet {
        version: SHEET_VERSION,
        id: "0123".to_owned(),
        subject: "ios-device".to_owned(),
        models: vec![],
        without_model: true,
        complete: true,
        questions: CASES.iter().enumerate().map(question).collect(),
    }
}

/// The answer to question `index`, with `changes` laid over it.
fn answer(index: usize, changes: Value) -> String {
    let mut answer = json!({
        "version": SHEET_VERSION, "sheet": "0123", "key": format!("ios-device/m/{}", CASES[index]), "followed": true,
        "card": card("ios-device"), "observation": {"ending": "completed", "loads": index},
        "device": {"thermal_before": "nominal", "thermal_after": "fair"}
    });
    answer.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    answer.to_string()
}

/// What comes of these files in a folder.
fn collected(files: &[(&str, &str)]) -> Collected {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), files);
    collect(&sheet(), &[folder.path()])
}

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

#[test]
fn answers_are_found_wherever_they_lie_and_told_in_order() {
    let seen = collected(&[("x/1_0_ABC.json", &answer(1, json!({}))), ("0.json", &answer(0, json!({})))]);
    let keys: Vec<_> = seen.asked.iter().map(|asked| asked.key.as_str()).collect();
    assert_eq!(keys, ["ios-device/m/a/one", "ios-device/m/a/two"]);
    assert_eq!(seen.open, ["ios-device/m/b/three", "ios-device/m/b/four"]);
    assert_eq!(seen.asked[1].observation.device.unwrap().thermal_after, Thermal::Fair);
    assert_eq!(seen.asked[1].request.forced_tokens, Some(vec![1]));
}

#[test]
fn a_question_that_was_begun_and_not_answered_is_one_death() {
    let seen =
        collected(&[("0.json", &answer(0, json!({}))), ("0.json.started", ""), ("2.json.started", "")]);
    let endings: Vec<_> =
        seen.asked.iter().map(|asked| matches!(asked.observation.ending, Ending::Died { .. })).collect();
    assert_eq!((endings, seen.open.len()), (vec![false, true], 2));
}

#[test]
fn what_is_no_answer_is_left_aside_with_the_reason() {
    for (text, why) in [
        ("", "no answer: EOF"),
        ("{\"version\": 1}", "no answer: missing field"),
        (&answer(0, json!({"surprise": 1})), "no answer: unknown field"),
        (&answer(0, json!({"sheet": "9"})), "it answers another sheet"),
        (&answer(0, json!({"version": 2})), "it answers another sheet"),
        (&answer(0, json!({"key": "ios-device/m/c/five"})), "nobody asked ios-device/m/c/five"),
        (&answer(0, json!({})).replace("completed", "finished"), "no answer: unknown variant"),
    ] {
        let seen = collected(&[("x.json", text)]);
        assert!(seen.aside[0].starts_with(&format!("x.json: {why}")), "{:?}", seen.aside);
        assert_eq!((seen.asked.len(), seen.open.len()), (0, 4));
    }
}

#[test]
fn the_first_folder_counts() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(one.path(), &[("0.json", &answer(0, json!({"observation": {"ending": "completed", "loads": 7}})))]);
    write(other.path(), &[("0.json", &answer(0, json!({}))), ("1.json", &answer(1, json!({})))]);
    let seen = collect(&sheet(), &[one.path(), other.path(), Path::new("/nowhere")]);
    assert_eq!(seen.asked.iter().map(|asked| asked.observation.loads).collect::<Vec<_>>(), [7, 1]);
}

#[test]
fn a_subject_that_cannot_follow_says_what_it_chooses_itself() {
    let seen = collected(&[("0.json", &answer(0, json!({"followed": false})))]);
    assert_eq!(seen.asked[0].request.forced_tokens, None);
}

#[test]
fn answers_become_a_recording_beside_their_reference() {
    let folder = tempfile::tempdir().unwrap();
    let run = RecordedRun {
        subjects: vec![("cpu".to_owned(), card("cpu")), ("ios-device".to_owned(), card("old"))],
        ..RecordedRun::default()
    };
    let reference = Recording::create(folder.path().join("cpu"), run).unwrap();
    let seen = collected(&[("0.json", &answer(0, json!({}))), ("1.json.started", "")]);
    let asked = &seen.asked[0];
    for key in ["cpu/m/a/one", "ios-device/m/a/one"] {
        reference.put(key, &asked.request, &card("old"), &asked.observation).unwrap();
    }
    let made = record(&sheet(), &seen, &folder.path().join("all"), Some(&reference)).unwrap();
    let items: Vec<_> = made.items().unwrap().into_iter().map(|item| (item.key, item.card.backend)).collect();
    let expected =
        [("cpu/m/a/one", "old"), ("ios-device/m/a/one", "ios-device"), ("ios-device/m/a/two", "ios-device")];
    assert_eq!(items, expected.map(|(key, card)| (key.to_owned(), card.to_owned())));
    let subjects: Vec<_> =
        made.run().subjects.iter().map(|(name, card)| (name.as_str(), card.backend.as_str())).collect();
    assert_eq!(subjects, [("cpu", "cpu"), ("ios-device", "ios-device")]);
    assert!(!made.run().complete, "two questions are open");
}

#[test]
fn nothing_answered_is_an_error_that_says_what_was_found() {
    let folder = tempfile::tempdir().unwrap();
    let none =
        |files| record(&sheet(), &collected(files), &folder.path().join("r"), None).unwrap_err().to_string();
    assert!(none(&[]).starts_with("none of 4 questions was answered; look at"));
    assert!(none(&[("0.json.started", "")]).contains(" (the app died in each); "));
    assert!(none(&[("0.json", "{}")]).contains(" (1 files were left aside: 0.json: no answer"));
}

#[test]
fn a_sheet_is_read_as_it_was_written_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sheet.json");
    let read = |text: &str| {
        fs::write(&file, text).unwrap();
        Sheet::read(&file)
    };
    assert_eq!(read(&sheet().to_text()).unwrap(), sheet());
    assert!(matches!(read("{}"), Err(SheetError::Json { .. })));
    assert!(matches!(read("{\"version\": 7}"), Err(SheetError::Version { theirs: 7, .. })));
    assert!(matches!(Sheet::read(&folder.path().join("none")), Err(SheetError::Read { .. })));
}

#[test]
fn the_answers_form_is_the_one_that_swift_writes() {
    let text = include_str!("fixtures/answer-from-swift.json");
    let answer: Answer = serde_json::from_str(text).unwrap();
    assert_eq!(answer.observation.turns[0].answer.as_deref(), Some("The capital is Paris."));
}
