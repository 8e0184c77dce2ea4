//! docs/cases.md names every field and every value of a case file and of the other files in cases/, and no other.
//!
//! The lists come from the parser itself. In every case of the suite and every example of the page, each object gets
//! an unknown field and each string becomes an unknown value, one at a time; where serde names what it would have
//! taken, those are the names. So a new field or variant is known here as soon as the code knows it.

use std::collections::BTreeSet;

use judge::case::Case;
use judge::finding::Code;
use judge::known::KnownFailure;
use judge::models::ModelEntry;
use judge::numbers::Tolerance;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::page::{Page, root};

const PAGE: &str = "docs/cases.md";
const UNKNOWN: &str = "?";

/// The names that files can hold.
#[derive(Debug, Default)]
struct Names {
    /// Keys: fields, and variants that hold something.
    keys: BTreeSet<String>,
    /// Values.
    values: BTreeSet<String>,
    /// Objects that take any key.
    free: BTreeSet<String>,
}

impl Names {
    /// Adds what every `T` that `documents` hold could have held instead.
    fn explore<T: DeserializeOwned>(&mut self, documents: &[Value]) {
        for document in documents {
            let mut pointers = Vec::new();
            collect(document, String::new(), &mut pointers);
            for pointer in pointers {
                let mut changed = document.clone();
                let place = changed.pointer_mut(&pointer).unwrap();
                let is_object = place.is_object();
                spoil(place);
                // Through text, as a file is read.
                match serde_json::from_str::<T>(&changed.to_string()) {
                    Err(error) if is_object => self.keys.extend(expected(&error.to_string())),
                    Err(error) => self.values.extend(expected(&error.to_string())),
                    Ok(_) if is_object => drop(self.free.insert(pointer)),
                    Ok(_) => {}
                }
            }
        }
    }

    fn all(&self) -> BTreeSet<String> {
        let codes: BTreeSet<String> = Code::ALL.iter().map(ToString::to_string).collect();
        self.keys.union(&self.values).filter(|name| !codes.contains(*name)).cloned().collect()
    }
}

/// Where the objects and strings of `value` are.
pub(crate) fn collect(value: &Value, at: String, pointers: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let key = key.replace('~', "~0").replace('/', "~1");
                collect(value, format!("{at}/{key}"), pointers);
            }
        }
        Value::Array(list) => {
            list.iter()
                .enumerate()
                .for_each(|(index, value)| collect(value, format!("{at}/{index}"), pointers));
        }
        Value::String(_) => {}
        _ => return,
    }
    pointers.push(at);
}

pub(crate) fn spoil(value: &mut Value) {
    match value {
        Value::Object(map) => {
            let rest = std::mem::take(map);
            map.insert(UNKNOWN.into(), Value::Null);
            map.extend(rest);
        }
        value => *value = UNKNOWN.into(),
    }
}

/// The names in "unknown field `?`, expected one of `a`, `b`".
fn expected(error: &str) -> Vec<String> {
    let unknown = ["unknown field `?`, expected ", "unknown variant `?`, expected "];
    let list = unknown.iter().find_map(|start| error.strip_prefix(start)).unwrap_or_default();
    list.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn parse(source: &str) -> Value {
    serde_json::from_str(source).unwrap()
}

/// A case around one stimulus and some checks.
fn case(stimulus: &Value, checks: &[Value]) -> Value {
    json!({"id": "docs/x", "why": "x", "stimulus": stimulus, "checks": checks})
}

/// The examples of the page as whole cases; examples of checks are one a line.
pub(crate) fn examples() -> Vec<(String, Value)> {
    let page = Page::read(PAGE);
    let mut all: Vec<(String, Value)> = Vec::new();
    let mut add = |line: usize, value: Value| all.push((format!("{PAGE}:{line}"), value));
    page.examples("case").iter().for_each(|(line, source)| add(*line, parse(source)));
    page.examples("stimulus").iter().for_each(|(line, source)| add(*line, case(&parse(source), &[])));
    for (line, source) in page.examples("check") {
        let checks: Vec<Value> = source.lines().map(parse).collect();
        add(line, case(&json!({"inspect": {}}), &checks));
    }
    all
}

pub(crate) fn suite() -> Vec<Value> {
    let cases = judge::case::load_cases(&root().join("cases")).unwrap();
    cases.iter().map(|case| parse(&std::fs::read_to_string(&case.path).unwrap())).collect()
}

fn list(label: &str, file: Option<&str>) -> Vec<Value> {
    let mut sources: Vec<String> =
        Page::read(PAGE).examples(label).into_iter().map(|(_, source)| source).collect();
    sources.extend(file.map(|file| std::fs::read_to_string(root().join(file)).unwrap()));
    sources.iter().flat_map(|source| serde_json::from_str::<Vec<Value>>(source).unwrap()).collect()
}

/// Every name that a file in cases/ can hold, and the documents that show them.
fn known() -> (Names, Vec<Value>) {
    let mut cases: Vec<Value> = examples().into_iter().map(|(_, example)| example).collect();
    cases.extend(suite());
    let (failures, models) = (list("known", None), list("models", Some("cases/models.json")));
    let tolerances = list("tolerances", Some("cases/tolerances.json"));
    let mut names = Names::default();
    names.explore::<Case>(&cases);
    names.explore::<KnownFailure>(&failures);
    names.explore::<ModelEntry>(&models);
    names.explore::<Tolerance>(&tolerances);
    (names, [cases, failures, models, tolerances].concat())
}

#[test]
fn every_example_parses() {
    for (place, example) in examples() {
        if let Err(error) = serde_json::from_str::<Case>(&example.to_string()) {
            panic!("{place}: {error}");
        }
    }
    assert!(examples().len() > 10, "the page lost its examples");
    list("known", None)
        .into_iter()
        .for_each(|value| drop(serde_json::from_value::<KnownFailure>(value).unwrap()));
    list("models", None)
        .into_iter()
        .for_each(|value| drop(serde_json::from_value::<ModelEntry>(value).unwrap()));
    list("tolerances", None)
        .into_iter()
        .for_each(|value| drop(serde_json::from_value::<Tolerance>(value).unwrap()));
}

#[test]
fn every_field_and_value_is_documented() {
    let names = known().0.all();
    assert!(names.len() > 100, "they come from serde's messages; have those changed? {names:?}");
    let words = Page::read(PAGE).words();
    let missing: Vec<_> = names.difference(&words).collect();
    assert!(missing.is_empty(), "{PAGE} does not say what these are: {missing:?}");
}

#[test]
fn an_unknown_field_is_an_error_everywhere() {
    let is_open = |place: &str| {
        ["/variables", "/variants/", "/openai_messages"].iter().any(|open| place.contains(open))
    };
    let free: Vec<_> = known().0.free.into_iter().filter(|place| !is_open(place)).collect();
    assert!(free.is_empty(), "these objects take fields that nobody reads: {free:?}");
}

/// So that what a field can hold is explored too.
#[test]
fn every_field_is_shown_by_a_case_or_an_example() {
    let (names, documents) = known();
    let shown: String = documents.iter().map(Value::to_string).collect();
    let hidden: Vec<_> = names.keys.iter().filter(|name| !shown.contains(&format!("\"{name}\":"))).collect();
    assert!(hidden.is_empty(), "no example in {PAGE} and no case has these: {hidden:?}");
}

#[test]
fn no_documented_name_is_stale() {
    let names = known().0.all();
    let page = Page::read(PAGE);
    for head in ["field", "stimulus", "check"] {
        let column = page.first_column(head);
        assert!(!column.is_empty(), "{PAGE} has no table of every {head}");
        let stale: Vec<_> = column.iter().filter(|(_, name)| !names.contains(name)).collect();
        assert!(stale.is_empty(), "{PAGE} documents what no file can hold: {stale:?}");
    }
}

#[test]
fn every_answer_of_the_fixtures_is_documented() {
    let source = std::fs::read_to_string(root().join(PAGE)).unwrap();
    let (_, source) = source.split_once("\n## What the compiled fixtures say\n").unwrap();
    for behaviour in gguf::fixtures::BEHAVIOURS {
        let text = String::from_utf8_lossy(&behaviour.bytes()).replace('\n', "⏎");
        // Long answers are cut short on the page.
        let begins: String = text.chars().take(12).collect();
        let words = behaviour.when.iter().copied().chain([begins.trim_end()]);
        let missing: Vec<&str> = words.filter(|word| !source.contains(word)).collect();
        assert!(missing.is_empty(), "{PAGE} lacks {missing:?} of the compiled fixtures' answer {text:?}");
    }
}
