//! What each code means: catalogue.json.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::{LintCode, Severity};

/// One entry of catalogue.json.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The code's name.
    pub code: String,
    /// How bad it is.
    pub severity: Severity,
    /// In a few words.
    pub title: String,
    /// What comes of it, for whom.
    pub meaning: String,
    /// What to do.
    pub cure: String,
    /// Public reports that show it.
    pub links: Vec<String>,
}

static CATALOGUE: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("catalogue.json")).expect("catalogue.json is checked by a test")
});

/// The entry of `code`.
pub fn entry(code: LintCode) -> &'static Entry {
    let place = LintCode::ALL.binary_search(&code).unwrap_or_default();
    &CATALOGUE[place]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn catalogue_codes_and_page_agree() {
        let names: Vec<_> = LintCode::ALL.iter().map(|code| code.name()).collect();
        assert!(names.is_sorted(), "{names:?}");
        let listed: Vec<_> = CATALOGUE.iter().map(|entry| entry.code.as_str()).collect();
        assert_eq!(listed, names);
        let page = include_str!("../../../docs/lint.md");
        for entry in CATALOGUE.iter() {
            let row = format!("| `{}` | {} |", entry.code, entry.severity.name());
            assert!(page.contains(&row), "docs/lint.md lacks the row {row}");
            assert!(!entry.links.is_empty(), "{} has no link", entry.code);
            assert!(entry.links.iter().all(|link| link.starts_with("https://")), "{}", entry.code);
            for text in [&entry.title, &entry.meaning, &entry.cure] {
                assert!(!text.is_empty() && !text.ends_with('.'), "{}: {text}", entry.code);
            }
        }
    }
}
