//! The job's summary, in GitHub's Markdown.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::report::failure::reproduce;
use crate::report::{Document, plural};
use crate::verdict::{Outcome, Record};

/// GitHub refuses the summary of a step that is longer than 1 MiB; other reports of the step have to fit in, too.
const MOST_BYTES: usize = 500 * 1024;

/// Failures that are told in full.
const MOST_FAILURES: usize = 50;

/// Totals, what is wrong, and the matrix.
pub(super) fn summary(document: &Document) -> String {
    let mut text = format!("## llama-conformance: {}\n\n", headline(document));
    for stale in &document.stale {
        let _ = writeln!(text, "- stale known failure: {} fits no item any more", escaped(stale));
    }
    for record in document.bad().take(MOST_FAILURES) {
        text.push_str(&failure(record));
    }
    let hidden = document.bad().count().saturating_sub(MOST_FAILURES);
    if hidden > 0 {
        let _ = writeln!(text, "\n{} not shown here.\n", plural(hidden, "more failure"));
    }
    text.push_str(&matrix(document));
    text
}

fn headline(document: &Document) -> String {
    let totals = document.totals;
    let stopped = if document.interrupted { "interrupted, " } else { "" };
    format!("{stopped}{} passed, {} failed, {} skipped", totals.passed, totals.failed, totals.skipped)
}

fn failure(record: &Record) -> String {
    let Record { case, subject, model, .. } = record;
    let mut text = format!(
        "<details open><summary>{} <b>{}</b> on {} with {}</summary>\n\n",
        symbol(record.outcome),
        escaped(case),
        escaped(subject),
        escaped(model)
    );
    if let Some(reason) = &record.reason {
        let _ = writeln!(text, "{}\n", escaped(reason));
    }
    if let Some(blame) = &record.blame {
        let _ = writeln!(
            text,
            "**{}**: {}\n\nNext: {}\n",
            blame.layer.name(),
            escaped(&blame.sentence),
            escaped(&blame.next)
        );
    }
    let _ = writeln!(text, "```\n{}\n```\n</details>\n", reproduce(record).replace("```", "'''"));
    text
}

/// Rows with something else than a pass or a skip, and behind a click all of them, as far as there is room.
fn matrix(document: &Document) -> String {
    let subjects: BTreeSet<&str> = document.results.iter().map(|record| record.subject.as_str()).collect();
    let mut rows: BTreeMap<(&str, &str), BTreeMap<&str, Outcome>> = BTreeMap::new();
    for record in &document.results {
        rows.entry((&record.case, &record.model)).or_default().insert(&record.subject, record.outcome);
    }
    let quiet = |outcome: &Outcome| matches!(outcome, Outcome::Pass | Outcome::Skip);
    let (calm, loud): (Vec<_>, Vec<_>) = rows.iter().partition(|(_, cells)| cells.values().all(quiet));
    let head = format!(
        "\n| case | model | {} |\n|---|---|{}\n",
        subjects.iter().map(|subject| escaped(subject)).collect::<Vec<_>>().join(" | "),
        "---|".repeat(subjects.len())
    );
    let row = |((case, model), cells): &(&(&str, &str), &BTreeMap<&str, Outcome>)| {
        let cell = |subject: &&str| {
            cells
                .get(*subject)
                .map_or(String::new(), |outcome| format!("{} {}", symbol(*outcome), outcome.word()))
        };
        let cells = subjects.iter().map(cell).collect::<Vec<_>>().join(" | ");
        format!("| {} | {} | {cells} |\n", escaped(case), escaped(model))
    };
    let mut text = String::new();
    let mut left_out = 0;
    let mut add = |text: &mut String, rows: &[_]| {
        for entry in rows {
            let line = row(entry);
            if text.len() + line.len() > MOST_BYTES {
                left_out += 1;
            } else {
                text.push_str(&line);
            }
        }
    };
    if !loud.is_empty() {
        text.push_str(&head);
        add(&mut text, &loud);
    }
    if !calm.is_empty() {
        let _ = writeln!(
            text,
            "\n<details><summary>{} passed or skipped</summary>\n{head}",
            plural(calm.len(), "row")
        );
        // The table's head has to stand right above its first row.
        text.truncate(text.trim_end().len());
        text.push('\n');
        add(&mut text, &calm);
        text.push_str("\n</details>\n");
    }
    if left_out > 0 {
        let _ = writeln!(text, "\n{} left out: GitHub takes no longer summary.", plural(left_out, "row"));
    }
    text
}

const fn symbol(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "✅",
        Outcome::ExpectedFail => "🟡",
        Outcome::Skip | Outcome::Inconclusive => "➖",
        Outcome::Fail | Outcome::Improved | Outcome::Flaky | Outcome::Broken => "❌",
    }
}

/// Text of a model, a template or a file that must not become markup.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '\n' | '\r' => safe.push(' '),
            '\\' | '`' | '*' | '_' | '|' | '[' | ']' | '#' | '~' | '!' | '@' => safe.extend(['\\', letter]),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(passed: usize) -> Document {
        let mut results: Vec<Record> = (0..passed)
            .map(|case| Record::named(&format!("eog/{case}"), "m", "cpu", Outcome::Pass, None))
            .collect();
        let reason = Some("<script>alert(1)</script> | `x`\n# head".to_owned());
        results.push(Record::named("load/x", "m", "cpu", Outcome::Broken, reason));
        Document { results, ..Document::empty() }
    }

    #[test]
    fn what_went_wrong_comes_first_and_is_no_markup() {
        let text = summary(&document(1));
        assert!(text.contains("&lt;script&gt;alert(1)&lt;/script&gt; \\| \\`x\\` \\# head"), "{text}");
        let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part:?} is not in {text}"));
        assert!(at("| load/x | m | ❌ BROKEN |") < at("1 row passed or skipped"));
        assert!(at("1 row passed or skipped") < at("|---|---|---|\n| eog/0 | m | ✅ pass |"));
    }

    #[test]
    fn it_stays_shorter_than_github_allows_and_says_what_is_missing() {
        let text = summary(&document(30_000));
        assert!(text.len() < MOST_BYTES + 1024);
        assert!(text.contains("left out: GitHub takes no longer summary."));
    }
}
