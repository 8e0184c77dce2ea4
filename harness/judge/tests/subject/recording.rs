//! Recordings: what goes in comes out, and whatever else lies in the folder is named.

use std::error::Error;
use std::fs;
use std::path::Path;

use judge::models::Model;
use judge::subject::{Recorded, RecordedRun, Recording};
use libtest_mimic::Trial;
use wire::{Ending, Observation};

use crate::ask::{request, trial};
use crate::fake::card;

const KEY: &str = "[cpu/raw] eog/stops-by-id (smollm2, „ä“)";

/// What is done to a recording with one item, and what the error then says.
type Damage = (&'static str, fn(&Path), &'static str);

const DAMAGES: [Damage; 7] = [
    ("cut", |dir| rewrite(dir, |text| text.truncate(text.len() / 2)), "not as it was recorded; delete it"),
    ("emptied", |dir| rewrite(dir, String::clear), "not as it was recorded; delete it"),
    ("unknown-field", |dir| rewrite(dir, |text| text.insert_str(1, "\"mood\": 1,")), "unknown field `mood`"),
    (
        "renamed",
        |dir| drop(fs::rename(item(dir), dir.join("items/eog.json"))),
        "renamed, it is the record of",
    ),
    (
        "foreign",
        |dir| fs::write(dir.join("items/notes.txt"), "").expect("a file"),
        "no recorded item; move it",
    ),
    (
        "version",
        |dir| fs::write(dir.join("recording.json"), "{\"version\":2}").expect("a file"),
        "version 2, this",
    ),
    (
        "no-header",
        |dir| fs::remove_file(dir.join("recording.json")).expect("a file"),
        "holds no recording; make one",
    ),
];

pub(crate) fn trials() -> Vec<Trial> {
    let others: [(&str, fn()); 5] = [
        ("killed", what_a_killed_run_left_is_no_item),
        ("round-trip", what_goes_in_comes_out),
        ("not-empty", a_recording_begins_in_an_empty_folder),
        ("full", a_write_that_fails_leaves_the_old_file),
        ("names", every_key_has_its_file),
    ];
    let damages = DAMAGES
        .map(|(name, damage, says)| trial(format!("recording::{name}"), move || is_named(damage, says)));
    let others = others.map(|(name, run)| trial(format!("recording::{name}"), run));
    damages.into_iter().chain(others).collect()
}

fn recorded() -> Recorded {
    let ending = Ending::Died { signal: Some(6), exit_code: None };
    let observation = Observation { log_tail: vec!["GGML_ASSERT".to_owned()], ..Observation::ended(ending) };
    Recorded { key: KEY.to_owned(), request: request(7, "pass"), card: card(), observation }
}

fn run() -> RecordedRun {
    let asked_as = Some("m.gguf".into());
    let model = Model {
        name: "m".into(),
        role: "chat".into(),
        path: "/there/m.gguf".into(),
        listed: true,
        asked_as,
        cannot: None,
    };
    RecordedRun {
        subjects: vec![("cpu".to_owned(), card())],
        models: vec![model],
        without_model: true,
        complete: true,
        ..RecordedRun::default()
    }
}

fn put(recording: &Recording, item: &Recorded) -> Result<(), judge::subject::RecordingError> {
    recording.put(&item.key, &item.request, &item.card, &item.observation)
}

fn make(dir: &Path) {
    let recording = Recording::create(dir, run()).expect("an empty folder");
    put(&recording, &recorded()).expect("a file");
}

fn item(dir: &Path) -> std::path::PathBuf {
    let mut files = fs::read_dir(dir.join("items")).expect("a folder");
    files.next().expect("an item").expect("an entry").path()
}

fn rewrite(dir: &Path, change: fn(&mut String)) {
    let file = item(dir);
    let mut text = fs::read_to_string(&file).expect("an item");
    change(&mut text);
    fs::write(file, text).expect("an item");
}

fn what_goes_in_comes_out() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path().join("made/on/the/way");
    make(&dir);
    let recording = Recording::open(&dir).expect("a recording");
    assert_eq!(*recording.run(), run());
    assert_eq!(recording.get(KEY).expect("a readable item"), Some(recorded()));
    assert_eq!(recording.get("another").expect("no item"), None);
    let mut again = recorded();
    again.observation.loads = 2;
    put(&recording, &again).expect("a file");
    assert_eq!(recording.items().expect("readable items"), [again]);
}

fn is_named(damage: fn(&Path), says: &str) {
    let dir = tempfile::tempdir().expect("a folder");
    make(dir.path());
    damage(dir.path());
    let error = Recording::open(dir.path()).and_then(|recording| recording.items()).expect_err("an error");
    let text = match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    };
    assert!(text.contains(says), "{text:?} does not say {says:?}");
    assert!(text.contains(&*dir.path().to_string_lossy()), "{text:?} names no file");
}

fn a_recording_begins_in_an_empty_folder() {
    let dir = tempfile::tempdir().expect("a folder");
    for free in [dir.path(), &dir.path().join("not/there")] {
        Recording::refuse_used(free).expect("a free folder");
    }
    assert!(!dir.path().join("not").exists());
    make(dir.path());
    Recording::refuse_used(dir.path()).expect_err("an error");
    let error = Recording::create(dir.path(), run()).expect_err("an error").to_string();
    assert!(error.contains("is not empty") && error.contains("name a new folder"), "{error}");
    assert_eq!(Recording::open(dir.path()).and_then(|old| old.items()).expect("untouched"), [recorded()]);
}

fn what_a_killed_run_left_is_no_item() {
    let dir = tempfile::tempdir().expect("a folder");
    make(dir.path());
    fs::write(dir.path().join("items/.partial-x"), "{\"key\": ").expect("a file");
    let items = Recording::open(dir.path()).and_then(|recording| recording.items());
    assert_eq!(items.expect("readable items"), [recorded()]);
}

fn a_write_that_fails_leaves_the_old_file() {
    let dir = tempfile::tempdir().expect("a folder");
    make(dir.path());
    let recording = Recording::open(dir.path()).expect("a recording");
    fs::rename(dir.path().join("items"), dir.path().join("gone")).expect("a folder");
    let error = put(&recording, &recorded()).expect_err("an error").to_string();
    assert!(error.starts_with("cannot write ") && error.contains("free some space"), "{error}");
    fs::rename(dir.path().join("gone"), dir.path().join("items")).expect("a folder");
    assert_eq!(recording.items().expect("untouched"), [recorded()]);
}

fn every_key_has_its_file() {
    let dir = tempfile::tempdir().expect("a folder");
    let recording = Recording::create(dir.path(), run()).expect("an empty folder");
    let long = "x".repeat(5000);
    let keys = ["", "a", "A", "a/b", "a-b", "../a", "ä", &long, &format!("{long}y")];
    for key in keys {
        put(&recording, &Recorded { key: key.to_owned(), ..recorded() }).expect("a file");
    }
    for key in keys {
        assert_eq!(recording.get(key).expect("a readable item").expect("an item").key, key);
    }
    assert_eq!(recording.items().expect("readable items").len(), keys.len());
}
