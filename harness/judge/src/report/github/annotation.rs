//! Workflow commands that put an error beside a line of a file.

use std::collections::BTreeMap;

use crate::report::{Document, plural};
use crate::verdict::Record;

/// GitHub shows so many errors of one step and drops the rest.
const SHOWN: usize = 10;

/// One command a line: one for each case that went wrong, whatever it was asked of.
pub(super) fn annotations(document: &Document) -> String {
    let mut cases: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
    for record in document.bad() {
        cases.entry(&record.case).or_default().push(record);
    }
    let mut lines: Vec<String> =
        cases.iter().take(SHOWN).map(|(case, records)| annotation(case, records)).collect();
    if cases.len() > SHOWN {
        let rest = plural(cases.len() - SHOWN, "more case");
        lines.push(format!("::notice::{rest} went wrong: see the summary"));
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn annotation(case: &str, records: &[&Record]) -> String {
    let places: Vec<String> =
        records.iter().map(|record| format!("{} with {}", record.subject, record.model)).collect();
    let first = records[0];
    let told = match (&first.blame, &first.reason) {
        (Some(blame), _) => format!("{}: {}\nnext: {}", blame.layer.name(), blame.sentence, blame.next),
        (None, Some(reason)) => reason.clone(),
        (None, None) => first.outcome.word().to_owned(),
    };
    format!(
        "::error file={},line={},title={}::{}",
        property(&format!("cases/{case}.json")),
        first.line.unwrap_or(1),
        property(&format!("{case} on {}", places.join(", "))),
        data(&told)
    )
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Outcome;

    fn document(cases: usize) -> Document {
        let record = |case: usize, subject: &str| Record {
            line: Some(7),
            ..Record::named(
                &format!("eog/{case:02}"),
                "m",
                subject,
                Outcome::Broken,
                Some("50 %\n::error::".into()),
            )
        };
        let results =
            (0..cases).flat_map(|case| ["cpu", "vulkan"].map(|subject| record(case, subject))).collect();
        Document { results, ..Document::empty() }
    }

    #[test]
    fn one_a_case_and_nothing_in_it_is_a_command() {
        assert_eq!(
            annotations(&document(1)),
            "::error file=cases/eog/00.json,line=7,title=eog/00 on cpu with m%2C vulkan with m::50 %25%0A::error::\n"
        );
        assert_eq!(annotations(&document(0)), "");
    }

    #[test]
    fn what_github_would_drop_is_counted() {
        let text = annotations(&document(12));
        assert_eq!(text.lines().count(), SHOWN + 1);
        assert_eq!(text.lines().last(), Some("::notice::2 more cases went wrong: see the summary"));
    }
}
