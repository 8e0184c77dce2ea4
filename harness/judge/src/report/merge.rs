//! Several reports made one: the parts of a run that several machines did.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use wire::Card;

use super::{Document, REPORT_VERSION};
use crate::input;
use crate::verdict::Totals;

/// Why reports cannot be made one.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// One cannot be read.
    #[error("{}: cannot read the report: {source}; name a file that `--json` wrote", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// One is no report.
    #[error("{}:{line}: no report: {problem}; name a file that `--json` wrote", path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What the parser says.
        problem: String,
    },
    /// One is of another time.
    #[error("{}: a report of version {version}, and this program reads version {REPORT_VERSION}; run again", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// Two have the same result.
    #[error("{item} is in both {} and {}; merge each part of a run once", one.display(), other.display())]
    Duplicate {
        /// The item.
        item: String,
        /// A file.
        one: PathBuf,
        /// Another.
        other: PathBuf,
    },
    /// Two are of different subjects of one name.
    #[error(transparent)]
    OtherBuild(Box<OtherBuild>),
    /// Two are of different suites.
    #[error("the case {case} says other things in {} than in {}; merge only runs of the same checkout", other.display(), one.display())]
    OtherSuite {
        /// The case.
        case: String,
        /// A file.
        one: PathBuf,
        /// Another.
        other: PathBuf,
    },
}

/// Two subjects of one name that are not the same build.
#[derive(Debug, thiserror::Error)]
#[error(
    "{subject} is another build in {} than in {} ({field}: {theirs} against {ours}); merge only runs of the same build",
    other.display(), one.display()
)]
pub struct OtherBuild {
    subject: String,
    field: String,
    ours: String,
    theirs: String,
    one: PathBuf,
    other: PathBuf,
}

/// Reads the JSON report at `path`.
///
/// # Errors
/// When it cannot be read, is none, or is one of another version.
pub fn read_report(path: &Path) -> Result<Document, MergeError> {
    /// What every version has.
    #[derive(Deserialize)]
    struct Versioned {
        version: u32,
    }
    let text = input::bytes(path, input::MOST_RECORDED)
        .map_err(|source| MergeError::Read { path: path.to_owned(), source })?;
    let parse = |error: serde_json::Error| MergeError::Parse {
        path: path.to_owned(),
        line: error.line(),
        problem: input::without_position(&error),
    };
    let Versioned { version } = serde_json::from_slice(&text).map_err(parse)?;
    if version != REPORT_VERSION {
        return Err(MergeError::Version { path: path.to_owned(), version });
    }
    serde_json::from_slice(&text).map_err(parse)
}

/// One report of `parts`, each with the file that it comes from: all their results and subjects, the totals of all, the
/// longest time, the most memory and threads.
///
/// # Errors
/// When two have the same result, or are not of the same builds and the same suite.
pub fn merge(parts: Vec<(PathBuf, Document)>) -> Result<Document, MergeError> {
    let mut merged = Document::empty();
    merged.partition = incomplete(parts.iter().map(|(_, part)| part));
    let mut subjects: BTreeMap<String, (PathBuf, Card)> = BTreeMap::new();
    let mut cases: HashMap<String, PathBuf> = HashMap::new();
    let mut results: HashMap<String, PathBuf> = HashMap::new();
    for (path, part) in parts {
        for (name, card) in part.cards {
            let (one, known) = subjects.entry(name.clone()).or_insert_with(|| (path.clone(), card.clone()));
            if let Some((field, ours, theirs)) = difference(known, &card) {
                let (one, other) = (one.clone(), path);
                return Err(MergeError::OtherBuild(Box::new(OtherBuild {
                    subject: name,
                    field,
                    ours,
                    theirs,
                    one,
                    other,
                })));
            }
        }
        for (case, note) in part.cases {
            let one = cases.entry(case.clone()).or_insert_with(|| path.clone()).clone();
            if *merged.cases.entry(case.clone()).or_insert_with(|| note.clone()) != note {
                return Err(MergeError::OtherSuite { case, one, other: path });
            }
        }
        for record in part.results {
            let item = format!("{}/{}/{}", record.subject, record.model, record.case);
            if let Some(one) = results.insert(item.clone(), path.clone()) {
                return Err(MergeError::Duplicate { item, one, other: path });
            }
            merged.totals.add(record.outcome);
            merged.results.push(record);
        }
        merged.stale.extend(part.stale);
        merged.interrupted |= part.interrupted;
        merged.jobs = merged.jobs.max(part.jobs);
        merged.wall_ms = merged.wall_ms.max(part.wall_ms);
        merged.peak_memory_bytes = merged.peak_memory_bytes.max(part.peak_memory_bytes);
    }
    merged.cards = subjects.into_iter().map(|(name, (_, card))| (name, card)).collect();
    merged.stale.sort();
    merged.stale.dedup();
    merged.sort();
    Ok(merged)
}

/// The parts that are there, in words, where others of the same subjects are not; `None` where none is missing.
fn incomplete<'a>(parts: impl Iterator<Item = &'a Document>) -> Option<String> {
    let mut there: BTreeMap<Vec<&String>, BTreeSet<&str>> = BTreeMap::new();
    for part in parts {
        there.entry(part.cards.keys().collect()).or_default().extend(part.partition.as_deref());
    }
    let lacks = |given: &&BTreeSet<&str>| {
        let count = given.iter().filter_map(|part| part.split_once('/')?.1.parse::<usize>().ok()).max();
        count.is_some_and(|count| given.len() < count)
    };
    let lacking = there.values().filter(lacks).flatten().copied().collect::<BTreeSet<_>>();
    (!lacking.is_empty()).then(|| lacking.into_iter().collect::<Vec<_>>().join(", "))
}

/// The first field in which two cards differ, and what both say. Where they ran does not matter, what they are does.
fn difference(ours: &Card, theirs: &Card) -> Option<(String, String, String)> {
    const OF_THE_MACHINE: [&str; 2] = ["devices", "os"];
    let fields = |card: &Card| match serde_json::to_value(card) {
        Ok(Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let (ours, theirs) = (fields(ours), fields(theirs));
    let mut names = ours.keys().chain(theirs.keys()).filter(|name| !OF_THE_MACHINE.contains(&name.as_str()));
    let other = names.find(|name| ours.get(*name) != theirs.get(*name))?;
    let said = |fields: &serde_json::Map<String, Value>| {
        fields.get(other).map_or_else(|| "nothing".to_owned(), Value::to_string)
    };
    Some((other.clone(), said(&ours), said(&theirs)))
}

impl Document {
    /// As the end of a run tells it.
    pub fn summary(&self) -> crate::session::Summary {
        crate::session::Summary {
            records: self.results.clone(),
            totals: self.totals,
            stale: self.stale.clone(),
            wall_ms: self.wall_ms,
            interrupted: self.interrupted,
        }
    }

    /// Counts the results anew.
    pub fn count(&mut self) {
        self.totals = Totals::default();
        self.results.iter().for_each(|record| self.totals.add(record.outcome));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::CaseNote;
    use crate::verdict::{Outcome, Record};

    fn card(bindings: &str, os: &str) -> Card {
        serde_json::from_value(serde_json::json!({
            "backend": "cpu", "devices": [], "os": os, "arch": "a", "cpu_features": "", "llama_version": "b1",
            "bindings": bindings, "capabilities": [], "engines": [], "template_engines": [], "wrapper": "w"
        }))
        .unwrap()
    }

    /// A report of these items of `cpu`.
    fn part(file: &str, items: &[(&str, Outcome)]) -> (PathBuf, Document) {
        let results =
            items.iter().map(|(case, outcome)| Record::named(case, "m", "cpu", *outcome, None)).collect();
        let cards = BTreeMap::from([("cpu".to_owned(), card("c 1", file))]);
        let note = |(case, _): &(&str, Outcome)| ((*case).to_owned(), CaseNote::default());
        let cases = items.iter().map(note).collect();
        let mut document = Document { results, cards, cases, wall_ms: 5.0, ..Document::empty() };
        document.count();
        (file.into(), document)
    }

    #[test]
    fn parts_are_added_up() {
        let one = part("a.json", &[("eog/b", Outcome::Fail), ("eog/d", Outcome::Skip)]);
        let mut other = part("b.json", &[("eog/c", Outcome::Pass), ("eog/a", Outcome::ExpectedFail)]);
        (other.1.wall_ms, other.1.interrupted) = (9.0, true);
        let merged = merge(vec![one, other]).unwrap();
        let cases: Vec<&str> = merged.results.iter().map(|record| record.case.as_str()).collect();
        assert_eq!(cases, ["eog/a", "eog/b", "eog/c", "eog/d"]);
        let totals = merged.totals;
        assert_eq!((totals.passed, totals.failed, totals.skipped, totals.known_failures), (2, 1, 1, 1));
        assert_eq!((merged.wall_ms, merged.interrupted), (9.0, true));
    }

    #[test]
    fn a_part_that_is_missing_does_not_go_unseen() {
        let said = |names: &[&str]| {
            let of = |name: &&str| {
                let (_, document) = part(name, &[(name, Outcome::Pass)]);
                (PathBuf::from(*name), Document { partition: Some((*name).to_owned()), ..document })
            };
            merge(names.iter().map(of).collect()).unwrap().partition
        };
        assert_eq!(said(&["1/3", "3/3", "2/3"]), None);
        assert_eq!(said(&["1/3", "3/3"]).as_deref(), Some("1/3, 3/3"));
        assert_eq!(merge(vec![part("a", &[("eog/a", Outcome::Pass)])]).unwrap().partition, None);
    }

    #[test]
    fn what_does_not_belong_together_is_refused() {
        let one = || part("a.json", &[("eog/a", Outcome::Pass)]);
        let refused = |other| merge(vec![one(), other]).unwrap_err().to_string();
        assert_eq!(
            refused(part("b.json", &[("eog/a", Outcome::Pass)])),
            "cpu/m/eog/a is in both a.json and b.json; merge each part of a run once"
        );
        let mut build = part("b.json", &[("eog/b", Outcome::Pass)]);
        build.1.cards.insert("cpu".into(), card("c 2", "x"));
        assert_eq!(
            refused(build),
            "cpu is another build in b.json than in a.json (bindings: \"c 2\" against \"c 1\"); merge only runs of the \
             same build"
        );
        let mut suite = part("b.json", &[("eog/b", Outcome::Pass)]);
        suite.1.cases.insert("eog/a".into(), CaseNote { why: "another".into(), links: Vec::new() });
        assert!(refused(suite).starts_with("the case eog/a says other things in b.json than in a.json"));
    }

    #[test]
    fn what_is_no_report_is_said_with_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.json");
        let said = |text: &str| {
            std::fs::write(&path, text).unwrap();
            read_report(&path).unwrap_err().to_string()
        };
        assert!(said("{\n\"version\": 1}").contains("r.json:2: no report: missing field `cards`"));
        assert!(said("{\"version\": 2}").contains("a report of version 2, and this program reads version 1"));
        assert!(said("[]").contains("no report"), "{}", said("[]"));
        let (_, document) = part("a", &[("eog/a", Outcome::Pass)]);
        std::fs::write(&path, serde_json::to_string(&document).unwrap()).unwrap();
        assert_eq!(read_report(&path).unwrap(), document);
    }
}
