//! What is wrong, in the order in which a person wants to know it.

use maud::{Markup, html};

use crate::finding::entry;
use crate::report::{Document, plural};
use crate::verdict::Record;

/// Items named under one problem; the others are behind the filter.
const SHOWN: usize = 6;

/// Problems that are told at once; the others are behind a click, so that the matrix is near.
const TOLD: usize = 4;

/// Items of one subject that are blamed alike, most first.
struct Problem<'a> {
    subject: &'a str,
    layer: &'a str,
    title: String,
    /// With the index in the document.
    items: Vec<(usize, &'a Record)>,
}

/// The section; where nothing is wrong, none.
pub(super) fn problems(document: &Document) -> Markup {
    let problems = grouped(document);
    html! {
        @if !problems.is_empty() || !document.stale.is_empty() {
            section aria-labelledby="problems" {
                h2 id="problems" { "What is wrong" }
                ul class="problems" {
                    @for problem in problems.iter().take(TOLD) { (one(problem)) }
                    @for stale in &document.stale {
                        li { p class="what" { b { "Stale known failure" } } p { (stale) " fits no item any more; take it out of cases/known/." } }
                    }
                }
                @if problems.len() > TOLD {
                    details {
                        summary { "And " (plural(problems.len() - TOLD, "more problem")) }
                        ul class="problems" { @for problem in &problems[TOLD..] { (one(problem)) } }
                    }
                }
            }
        }
    }
}

fn grouped(document: &Document) -> Vec<Problem<'_>> {
    let mut problems: Vec<Problem<'_>> = Vec::new();
    for (index, record) in document.results.iter().enumerate().filter(|(_, record)| record.outcome.is_bad()) {
        let layer = record
            .blame
            .as_ref()
            .filter(|blame| !blame.code.is_remark())
            .map_or("", |blame| blame.layer.name());
        let title = match &record.blame {
            Some(blame) => entry(blame.code).title.clone(),
            None => record.outcome.word().to_lowercase(),
        };
        let same = |problem: &&mut Problem<'_>| {
            (problem.subject, problem.layer, &problem.title) == (record.subject.as_str(), layer, &title)
        };
        match problems.iter_mut().find(same) {
            Some(problem) => problem.items.push((index, record)),
            None => problems.push(Problem {
                subject: &record.subject,
                layer,
                title,
                items: vec![(index, record)],
            }),
        }
    }
    problems.sort_by_key(|problem| std::cmp::Reverse(problem.items.len()));
    problems
}

fn one(problem: &Problem<'_>) -> Markup {
    let first = problem.items[0].1;
    let told = first.blame.as_ref().map(|blame| &blame.sentence).or(first.reason.as_ref());
    let hidden = problem.items.len().saturating_sub(SHOWN);
    html! {
        li {
            p class="what" {
                b { (problem.subject) } " " span { (problem.title) }
                @if !problem.layer.is_empty() { " " span class="layer" { (problem.layer) } }
                " " span class="how-many" { (plural(problem.items.len(), "item")) }
            }
            @if let Some(told) = told { p { (prose(told)) } }
            @if let Some(blame) = &first.blame { p class="next" { "Next: " (prose(&blame.next)) } }
            ul class="items" {
                @for (index, record) in problem.items.iter().take(SHOWN) {
                    li { a data-item=(index) { (record.case) } @if record.model != "-" { " " span { (record.model) } } }
                }
                @if hidden > 0 { li { "and " (hidden) " more" } }
            }
        }
    }
}

/// A sentence whose words in backticks are code.
fn prose(text: &str) -> Markup {
    html! {
        @for (index, part) in text.split('`').enumerate() {
            @if index % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

#[cfg(test)]
mod tests {
    use wire::{Ending, Layer, Observation};

    use super::*;
    use crate::finding::{Code, Finding};
    use crate::triage::triage;
    use crate::verdict::Outcome;

    #[test]
    fn what_is_blamed_alike_is_told_once() {
        let record = |case: usize, subject: &str| {
            let findings = [Finding::at(Layer::Prefill, Code::LogitsDiffer, "far <b>off</b>")];
            let blame = triage(&findings, &Observation::ended(Ending::Completed), None);
            Record { blame, ..Record::named(&format!("a/{case}"), "m", subject, Outcome::Fail, None) }
        };
        let mut results: Vec<Record> = (0..20).map(|case| record(case, "vulkan")).collect();
        results.push(record(0, "cpu"));
        let text = problems(&Document { results, ..Document::empty() }).into_string();
        assert_eq!(text.matches("far &lt;b&gt;off&lt;/b&gt;").count(), 2, "{text}");
        assert!(text.contains("20 items") && text.contains("and 14 more"), "{text}");
        assert_eq!(text.matches("data-item=").count(), SHOWN + 1);
    }
}
