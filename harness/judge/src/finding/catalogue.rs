//! What every finding means and how it is cured: data, in catalogue.json beside this file.

use std::sync::LazyLock;

use serde::Deserialize;
use wire::Layer;

use super::Code;

/// The catalogue's words on one code.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The code itself.
    pub code: Code,
    /// The code's name, as in JSON.
    #[serde(skip)]
    pub name: &'static str,
    /// The layer at which it usually shows.
    pub layer: Layer,
    /// A few words.
    pub title: String,
    /// What it means.
    pub meaning: String,
    /// What to do.
    pub cure: String,
}

static CATALOGUE: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut entries: Vec<Entry> =
        serde_json::from_str(include_str!("catalogue.json")).expect("catalogue.json is part of the program");
    for entry in &mut entries {
        let name = serde_json::to_value(entry.code).expect("a code is a string");
        entry.name = name.as_str().unwrap_or_default().to_owned().leak();
    }
    entries
});

/// What the catalogue says of `code`.
pub fn entry(code: Code) -> &'static Entry {
    CATALOGUE.iter().find(|entry| entry.code == code).expect("every code is in the catalogue: tested")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_one_entry_and_the_list_is_sorted() {
        let codes: Vec<Code> = CATALOGUE.iter().map(|entry| entry.code).collect();
        assert_eq!(codes, Code::ALL);
        assert!(codes.is_sorted_by(|a, b| a < b));
        for entry in CATALOGUE.iter() {
            assert!(!entry.title.is_empty() && !entry.meaning.is_empty() && !entry.cure.is_empty());
            assert_eq!(entry.code.to_string(), entry.name);
        }
    }
}
