//! The committed cases, tolerances, models and known failures can all be read.

use std::path::{Path, PathBuf};

use judge::case::load_cases;
use judge::known::KnownFailures;
use judge::models::Registry;
use judge::numbers::Tolerances;

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases")
}

#[test]
fn everything_in_the_cases_folder_makes_sense() {
    let all = load_cases(&cases()).unwrap();
    assert!(all.len() >= 12, "{} cases", all.len());
    Tolerances::read(&cases().join("tolerances.json")).unwrap();
    KnownFailures::read(&cases().join("known")).unwrap();
}

#[test]
fn every_selector_means_a_listed_model() {
    let registry = Registry::read(&cases().join("models.json")).unwrap();
    let places = judge::models::Places { fixtures: "f".into(), models: "m".into() };
    let models: Vec<_> =
        registry.entries().iter().map(|entry| registry.resolve(&entry.name, &places).unwrap()).collect();
    for case in load_cases(&cases()).unwrap() {
        for selector in &case.models {
            assert!(models.iter().any(|model| model.matches(selector)), "{}: {selector}", case.id);
        }
    }
}
