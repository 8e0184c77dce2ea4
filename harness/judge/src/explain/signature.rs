//! A known line, or a known combination of lines, and what it means: data, in signatures.json beside this file.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use wire::Layer;

use super::Rule;
use crate::finding::{Code, entry};

/// Something that a log can show.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// Its name, unique and stable.
    pub id: String,
    /// How it is recognised.
    pub when: When,
    /// The finding that it points to.
    pub code: Code,
    /// The layer, where it is not the code's usual one.
    #[serde(default)]
    layer: Option<Layer>,
    /// How bad it is.
    pub severity: Severity,
    /// It only says that something failed: it counts where nothing more specific fits the line, and is a
    /// consequence where an earlier line gives the reason.
    #[serde(default)]
    pub general: bool,
    /// Signatures that say more about the same line: where one of them fits, this one does not.
    #[serde(default)]
    pub unless: Vec<String>,
    /// What it means; `{name}` is replaced by what the pattern's group `name` (or `name2` …) caught.
    pub meaning: String,
    /// What to do, where the catalogue's cure is too general.
    #[serde(default)]
    cure: Option<String>,
    /// The case that reproduces it.
    pub case: Case,
    /// Public reports and sources.
    pub links: Vec<String>,
}

/// How a signature is recognised.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// A regular expression over one line.
    Pattern(String),
    /// A comparison of several lines, or of parts of one.
    Rule(Rule),
}

/// How bad something is; the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Something failed.
    Error,
    /// It works, and answers may be wrong, worse or slow.
    Warning,
    /// Worth knowing.
    Notice,
}

/// The case that reproduces a signature.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Case {
    /// A case id of the cases folder.
    Run(String),
    /// There is none, and why.
    None(String),
}

impl Signature {
    /// Where it shows.
    pub fn layer(&self) -> Layer {
        self.layer.unwrap_or_else(|| entry(self.code).layer)
    }

    /// What to do.
    pub fn cure(&self) -> &str {
        self.cure.as_deref().unwrap_or(&entry(self.code).cure)
    }
}

static SIGNATURES: LazyLock<Vec<Signature>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("signatures.json"))
        .expect("signatures.json is part of the program: tested")
});

/// All signatures, sorted by id.
pub fn signatures() -> &'static [Signature] {
    &SIGNATURES
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::matcher::compile;
    use super::super::words::names;
    use super::*;

    #[test]
    fn the_list_is_sorted_and_says_something_everywhere() {
        assert!(signatures().is_sorted_by(|a, b| a.id < b.id));
        for signature in signatures() {
            let Signature { id, meaning, case, links, .. } = signature;
            assert!(!meaning.is_empty() && !signature.cure().is_empty(), "{id}");
            assert!(!links.is_empty() && links.iter().all(|link| link.starts_with("https://")), "{id}");
            let (Case::Run(words) | Case::None(words)) = case;
            assert!(!words.is_empty(), "{id}");
            let known = |other: &String| signatures().iter().any(|signature| signature.id == *other);
            assert!(signature.unless.iter().all(known), "{id}");
        }
    }

    #[test]
    fn every_pattern_compiles_and_catches_what_its_sentence_needs() {
        for signature in signatures() {
            let When::Pattern(pattern) = &signature.when else { continue };
            let regex = compile(pattern);
            let groups: BTreeSet<_> = regex.capture_names().flatten().collect();
            for name in names(&signature.meaning) {
                assert!(groups.contains(name), "{}: no group {name}", signature.id);
            }
        }
    }

    #[test]
    fn every_rule_has_one_signature() {
        for rule in Rule::ALL {
            let of = |signature: &&Signature| matches!(&signature.when, When::Rule(other) if other == rule);
            assert_eq!(signatures().iter().filter(of).count(), 1, "{rule:?}");
        }
    }
}
