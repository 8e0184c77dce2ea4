//! A run that is recorded and judged again, without anybody who could be asked.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use judge::plan::{Partition, Plan, Target};
use judge::session::{Recorder, RunOptions, Session, SessionOptions, Summary, run};
use judge::setup::{Folders, Replayed, Suite};
use judge::subject::{RecordedRun, Recording};
use judge::verdict::{Outcome, Record};
use libtest_mimic::Trial;
use tempfile::TempDir;

use crate::ask::{PATIENT, launch, trial};
use crate::fake;

/// What the cases ask the fakes to do, and what comes of it when the first of them is asked again after a failure.
/// "compared" has a golden check, and the first is the reference: alone it says nothing.
const DEEDS: [(&str, &str, Outcome); 6] = [
    ("aborts", "abort", Outcome::Fail),
    ("babbles", "babble", Outcome::Fail),
    ("compared", "pass", Outcome::Inconclusive),
    ("fails-first", "abort-once FILE", Outcome::Flaky),
    ("is-known", "exit 3", Outcome::ExpectedFail),
    ("passes", "pass", Outcome::Pass),
];

pub(crate) fn trials() -> Vec<Trial> {
    let all: [(&str, fn()); 5] = [
        ("equal", what_was_recorded_gets_the_same_verdicts),
        ("changed", a_question_that_has_changed_is_inconclusive),
        ("other-cases", cases_come_and_go),
        ("filtered", a_filter_leaves_nothing_unknown),
        ("recorded-filter", what_was_not_to_be_asked_is_no_gap),
    ];
    all.map(|(name, run)| trial(format!("replay::{name}"), run)).into()
}

/// A checkout with one case a deed.
struct Checkout(TempDir);

impl Checkout {
    fn new() -> Self {
        let checkout = Self(tempfile::tempdir().expect("a folder"));
        for (name, deed, _) in DEEDS {
            let file = checkout.path("once").display().to_string();
            checkout.case(name, &deed.replace("FILE", &file));
        }
        checkout.write("cases/models.json", "[]");
        let tolerance =
            r#"[{"name": "default", "nmse": 0, "kl": 0, "eog": 0, "near_tie": 0, "why": "nothing differs"}]"#;
        checkout.write("cases/tolerances.json", tolerance);
        let known = r#"[{"case": "fake/is-known", "finding": "died", "subject": {}, "stance": "must-fail",
            "reason": "it exits", "link": "https://example.org"}]"#;
        checkout.write("cases/known/fake.json", known);
        checkout
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn case(&self, name: &str, deed: &str) {
        let check = if name == "compared" { r#"{"golden": {}}"# } else { r#"{"refusal": {"absent": true}}"# };
        let check: serde_json::Value = serde_json::from_str(check).expect("JSON");
        let case = serde_json::json!({
            "id": format!("fake/{name}"), "why": "the fake obeys", "stimulus": {"tokenize": {"text": deed}},
            "checks": [check],
        });
        self.write(&format!("cases/fake/{name}.json"), &case.to_string());
    }

    fn suite(&self) -> Suite {
        Suite::read(&self.folders()).expect("a suite")
    }

    fn folders(&self) -> Folders {
        Folders::of_workspace(self.0.path())
    }

    /// Asks two subjects, one of them the other's reference, and records into `recording`.
    fn record(&self) -> Summary {
        self.record_some(&[], None)
    }

    /// The same, of the cases that fit `filters`, and of one part.
    fn record_some(&self, filters: &[&str], partition: Option<Partition>) -> Summary {
        let filters: Vec<String> = filters.iter().map(|&filter| filter.to_owned()).collect();
        let subject =
            |name: &str| Target { launch: launch("serve"), ..Target::recorded(name.into(), fake::card()) };
        let targets = [Arc::new(subject("cpu")), Arc::new(subject("gpu"))];
        let suite = self.suite();
        let mut plan = suite.plan(&self.folders(), &[], &targets, &filters).expect("a plan");
        partition.into_iter().for_each(|partition| plan.keep(partition));
        let options = SessionOptions { deadline: PATIENT, idle_workers: 2, retries: 1 };
        let session = suite.session(&self.folders(), options, false);
        let subjects = targets.iter().map(|target| (target.name.clone(), target.card.clone())).collect();
        let complete = plan.complete;
        let asked = RecordedRun {
            subjects,
            without_model: true,
            complete,
            filters,
            partition,
            ..RecordedRun::default()
        };
        let recording = Recording::create(self.path("recording"), asked).expect("an empty folder");
        run_all(&session, &plan, Some(Recorder::new(recording)))
    }

    fn replay(&self, filters: &[&str]) -> Replayed {
        let recording = Recording::open(self.path("recording")).expect("a recording");
        let filters: Vec<String> = filters.iter().map(|&filter| filter.to_owned()).collect();
        self.suite().replay(&self.folders(), &recording, &filters, false).expect("a plan")
    }

    fn judge(&self) -> Summary {
        let replayed = self.replay(&[]);
        run_all(&replayed.session, &replayed.plan, None)
    }
}

fn run_all(session: &Session, plan: &Plan, mut recorder: Option<Recorder>) -> Summary {
    let mut listeners: Vec<&mut dyn judge::session::Listener> = Vec::new();
    listeners.extend(recorder.as_mut().map(|recorder| recorder as &mut dyn judge::session::Listener));
    run(session, plan, RunOptions { jobs: 1 }, &AtomicBool::new(false), &mut listeners).expect("a run")
}

/// Records in one order and without what a clock said.
fn timeless(summary: Summary) -> Vec<Record> {
    let mut records = summary.records;
    records.iter_mut().for_each(|record| record.milliseconds = 0.0);
    records.sort_by_key(|record| (record.subject.clone(), record.case.clone()));
    records
}

fn outcome_of<'a>(records: &'a [Record], subject: &str, name: &str) -> (Outcome, &'a str) {
    let record =
        records.iter().find(|record| record.subject == subject && record.case == format!("fake/{name}"));
    let record = record.expect("a record");
    (record.outcome, record.reason.as_deref().unwrap_or_default())
}

fn what_was_recorded_gets_the_same_verdicts() {
    let checkout = Checkout::new();
    let live = timeless(checkout.record());
    for (name, _, outcome) in DEEDS {
        assert_eq!(outcome_of(&live, "cpu", name).0, outcome, "{name}: {live:?}");
    }
    assert_eq!(outcome_of(&live, "gpu", "compared").0, Outcome::Pass);
    assert_eq!(timeless(checkout.judge()), live);
}

fn a_question_that_has_changed_is_inconclusive() {
    let checkout = Checkout::new();
    checkout.record();
    checkout.case("passes", "pass by another way");
    let records = timeless(checkout.judge());
    let (outcome, reason) = outcome_of(&records, "cpu", "passes");
    assert_eq!(outcome, Outcome::Inconclusive);
    assert_eq!(reason, "another stimulus was asked for when this was recorded; record again");
    assert_eq!(outcome_of(&records, "gpu", "compared").0, Outcome::Pass);
}

fn cases_come_and_go() {
    let checkout = Checkout::new();
    checkout.record();
    checkout.case("is-new", "pass");
    fs::remove_file(checkout.path("cases/fake/passes.json")).expect("a case");
    let reference = item_file(&checkout.path("recording"), "cpu---fake-compared-");
    fs::remove_file(reference).expect("an item");
    assert_eq!(checkout.replay(&[]).unknown, ["cpu/-/fake/passes", "gpu/-/fake/passes"]);
    let records = timeless(checkout.judge());
    assert_eq!(outcome_of(&records, "gpu", "is-new"), (Outcome::Skip, "it was not recorded"));
    assert_eq!(outcome_of(&records, "cpu", "compared"), (Outcome::Skip, "it was not recorded"));
    let (outcome, reason) = outcome_of(&records, "gpu", "compared");
    assert_eq!(outcome, Outcome::Inconclusive);
    assert_eq!(reason, "cpu/-/fake/compared was not recorded; record again");
}

fn item_file(recording: &Path, begins: &str) -> std::path::PathBuf {
    let files =
        fs::read_dir(recording.join("items")).expect("items").map(|entry| entry.expect("an entry").path());
    let fits = |file: &std::path::PathBuf| {
        file.file_name().unwrap_or_default().to_string_lossy().starts_with(begins)
    };
    files.into_iter().find(fits).expect("an item")
}

fn a_filter_leaves_nothing_unknown() {
    let checkout = Checkout::new();
    checkout.record();
    let replayed = checkout.replay(&["fake/passes", "fake/compared"]);
    assert_eq!((replayed.plan.items.len(), replayed.plan.complete), (4, false));
    assert!(replayed.unknown.is_empty() && replayed.plan.skipped.is_empty());
}

fn what_was_not_to_be_asked_is_no_gap() {
    let names = |plan: &Plan| -> Vec<String> { plan.items.iter().map(|item| item.case.id.clone()).collect() };
    let checkout = Checkout::new();
    checkout.record_some(&["fake/passes", "fake/compared"], None);
    let replayed = checkout.replay(&[]);
    assert_eq!(
        (replayed.plan.items.len(), replayed.plan.skipped.len()),
        (4, 0),
        "{:?}",
        names(&replayed.plan)
    );
    assert_eq!(checkout.replay(&["fake/passes"]).plan.items.len(), 2);
    assert!(replayed.unknown.is_empty() && !replayed.plan.complete);

    let whole: usize = (1..=2)
        .map(|index| {
            let checkout = Checkout::new();
            let partition = format!("{index}/2").parse().ok();
            let asked = checkout.record_some(&[], partition);
            let plan = checkout.replay(&[]).plan;
            assert_eq!((plan.items.len(), plan.skipped.len()), (asked.records.len(), 0));
            assert_eq!(plan.partition, partition);
            plan.items.len()
        })
        .sum();
    assert_eq!(whole, 2 * DEEDS.len());
}
