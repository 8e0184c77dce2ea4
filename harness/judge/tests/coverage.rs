//! docs/coverage.md says of each known bug which cases cover it: those that cite its report, all of them, and no
//! others.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use judge::case::{Case, load_cases};
use judge::explain::signatures;

/// The reports that this program was made for.
const REPORTS: usize = 59;

/// A row of the table.
struct Row {
    id: String,
    /// The report; `None` for a log that is no public page.
    link: Option<String>,
    cases: BTreeSet<String>,
    signatures: Vec<String>,
    reason: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(root().join("docs/coverage.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| id |"));
    rows.map(row).collect()
}

fn row(line: &str) -> Row {
    let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
    let [id, _, cases, reason] = cells[..] else { panic!("not four cells: {line}") };
    let (id, link) = match id.strip_prefix('[').and_then(|rest| rest.split_once("](")) {
        Some((id, link)) => (id, Some(link.trim_end_matches(')').to_owned())),
        None => (id, None),
    };
    let quoted =
        |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let named = quoted(reason).into_iter().filter_map(|word| Some(word.strip_prefix("explain:")?.to_owned()));
    Row {
        id: id.to_owned(),
        link,
        cases: quoted(cases).into_iter().collect(),
        signatures: named.collect(),
        reason: reason.trim_matches(['–', ' ']).to_owned(),
    }
}

fn citing(cases: &[Case], link: &str) -> BTreeSet<String> {
    cases.iter().filter(|case| case.links.iter().any(|l| l == link)).map(|case| case.id.clone()).collect()
}

#[test]
fn every_report_has_one_row_with_cases_or_a_reason() {
    let rows = rows();
    assert_eq!(rows.len(), REPORTS);
    let ids: BTreeSet<&String> = rows.iter().map(|row| &row.id).collect();
    let links: BTreeSet<&String> = rows.iter().filter_map(|row| row.link.as_ref()).collect();
    assert_eq!(ids.len(), REPORTS);
    assert_eq!(links.len(), rows.iter().filter(|row| row.link.is_some()).count());
    for row in &rows {
        assert!(!row.cases.is_empty() || !row.reason.is_empty(), "{}: no case and no reason", row.id);
        assert!(row.link.as_ref().is_none_or(|link| link.starts_with("https://")), "{}", row.id);
    }
}

#[test]
fn a_row_names_the_cases_that_cite_its_report_and_no_others() {
    let cases = load_cases(&root().join("cases")).unwrap();
    let mut wrong = Vec::new();
    for row in rows() {
        let Some(link) = &row.link else {
            wrong.extend(
                row.cases
                    .iter()
                    .filter(|id| !cases.iter().any(|case| case.id == **id))
                    .map(|id| format!("{}: there is no case {id}", row.id)),
            );
            continue;
        };
        let citing = citing(&cases, link);
        if citing != row.cases {
            let cell = citing.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ");
            wrong.push(format!("{}: the cases that cite {link} are: {cell}", row.id));
        }
    }
    assert!(wrong.is_empty(), "docs/coverage.md is not up to date\n{}", wrong.join("\n"));
}

#[test]
fn what_a_row_says_of_logs_is_recognised() {
    for row in rows() {
        for id in &row.signatures {
            assert!(
                signatures().iter().any(|signature| signature.id == *id),
                "{}: no signature {id}",
                row.id
            );
        }
    }
}
