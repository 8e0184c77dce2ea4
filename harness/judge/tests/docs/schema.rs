//! cases/case.schema.json is what the code says, fits every case, and refuses what the parser refuses.

use jsonschema::{Validator, validator_for};
use judge::case::{Case, schema};
use serde_json::{Value, json};

use crate::cases::{collect, examples, spoil, suite};
use crate::page::root;

const FILE: &str = "cases/case.schema.json";

fn validator() -> Validator {
    validator_for(&schema()).unwrap()
}

#[test]
fn the_file_is_fresh() {
    let text = std::fs::read_to_string(root().join(FILE)).unwrap_or_default();
    let expected = format!("{}\n", serde_json::to_string_pretty(&schema()).unwrap());
    assert!(
        text == expected,
        "{FILE} is stale: cargo run -q -p judge --example case_schema > target/case.schema.json, and move it there"
    );
}

#[test]
fn every_case_and_example_fits() {
    let validator = validator();
    let examples = examples().into_iter().map(|(_, example)| example);
    let all: Vec<Value> = suite().into_iter().chain(examples).collect();
    for case in &all {
        if let Some(error) = validator.iter_errors(case).next() {
            panic!("{}: {}: {error}", case["id"], error.instance_path());
        }
    }
    assert!(all.len() > 50, "{} cases", all.len());
}

/// Each object gets an unknown field, each string becomes an unknown value, one at a time.
#[test]
fn what_the_parser_refuses_no_editor_lets_pass() {
    let (validator, mut refused) = (validator(), 0);
    let examples = examples().into_iter().map(|(_, example)| example);
    for case in suite().into_iter().chain(examples) {
        let mut pointers = Vec::new();
        collect(&case, String::new(), &mut pointers);
        for pointer in pointers {
            let mut spoilt = case.clone();
            spoil(spoilt.pointer_mut(&pointer).unwrap());
            let parsed = serde_json::from_str::<Case>(&spoilt.to_string());
            if parsed.is_err() {
                refused += 1;
                assert!(!validator.is_valid(&spoilt), "{} at {pointer}: {parsed:?}", case["id"]);
            }
        }
    }
    assert!(refused > 500, "only {refused} were spoilt");
}

#[test]
fn what_only_a_reader_of_whole_cases_sees_is_mostly_seen_too() {
    let validator = validator();
    let case = json!({
        "id": "a/b", "why": "w", "stimulus": {"score": {"prompt": {"text": "Hi"}}}, "checks": [{"golden": {}}]
    });
    let with = |field: &str, value: Value| {
        let mut case = case.clone();
        case[field] = value;
        validator.is_valid(&case)
    };
    assert!(validator.is_valid(&case));
    assert!(with("$schema", json!("../case.schema.json")));
    assert!(!with("id", json!("a")));
    assert!(!with("why", json!("")));
    assert!(!with("links", json!(["http://x"])));
    assert!(!with("config", json!({"context": {"n_ctx": 0}})));
    let variant = |config: Value| with("variants", json!([{"name": "v", "why": "w", "config": config}]));
    assert!(variant(json!({"context": {"type_k": "q8_0"}})));
    assert!(variant(json!({"context": {"n_ctx": null}})));
    assert!(!variant(json!({"context": {"n_ctxx": 1}})));
    assert!(!with("variants", json!([{"name": "a@b", "why": "w"}])));
    assert!(!with("variants", json!([{"name": "v", "why": "w", "stimulus": {"score": {"path": "x"}}}])));
}
