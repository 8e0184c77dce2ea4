//! The page's frame: what is read first, and the places that the scripts fill.

use std::collections::BTreeSet;
use std::io;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use wire::{Card, Layer};

use super::embed::{SCRIPT, STYLE, json, policy};
use super::problem::problems;
use crate::finding::Code;
use crate::report::{Document, plural, words::family};
use crate::verdict::Outcome;

/// `document` as a page.
pub(in crate::report) fn text(document: &Document) -> io::Result<String> {
    let data = json(document)?;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(policy());
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (headline(document)) " · llama-conformance" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a class="skip" href="#matrix" { "Skip to the results" }
                main id="overview" data-remarks=(remarks()) { (overview(document)) }
                main id="item" hidden {}
                script type="application/json" id="data" { (PreEscaped(data)) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    Ok(page.into_string())
}

/// The findings that blame nothing.
fn remarks() -> String {
    let remarks = Code::ALL.iter().filter(|code| code.is_remark()).map(ToString::to_string);
    remarks.collect::<Vec<_>>().join(" ")
}

fn headline(document: &Document) -> String {
    let (totals, all) = (document.totals, document.results.len());
    let asked = all - document.results.iter().filter(|record| record.outcome == Outcome::Skip).count();
    match totals.failed {
        _ if asked == 0 => "Nothing was asked".to_owned(),
        0 if document.interrupted => format!("Interrupted: {} passed", totals.passed),
        0 => format!("All {} passed", totals.passed),
        failed => format!("{failed} of {} failed", plural(asked, "item")),
    }
}

fn overview(document: &Document) -> Markup {
    html! {
        header class="top" {
            p class="brand" { "llama-conformance" }
            h1 { (headline(document)) }
            (totals(document))
            @if document.interrupted {
                p class="note" { "The run was stopped before its end: results are missing." }
            }
        }
        noscript { p class="note" { "What is wrong is below; the matrix and the cases need JavaScript, which runs in this page alone." } }
        (problems(document))
        section aria-labelledby="results" {
            h2 id="results" { "Cases × subjects" }
            (filters(document))
            div class="wide" tabindex="-1" { table id="matrix" { thead {} tbody {} } }
            p id="empty" class="note" hidden { "Nothing fits these filters." }
            button id="more" type="button" hidden { "Show more" }
            p class="keys" { kbd { "/" } " searches, arrow keys move, " kbd { "Enter" } " opens, " kbd { "Esc" } " goes back." }
        }
        (subjects(document))
    }
}

fn totals(document: &Document) -> Markup {
    let totals = document.totals;
    let known = (totals.known_failures > 0).then(|| plural(totals.known_failures, "known failure"));
    let inconclusive = (totals.inconclusive > 0).then(|| format!("{} inconclusive", totals.inconclusive));
    let broken = (totals.broken > 0).then(|| format!("{} broken", totals.broken));
    let parts = [
        ("pass", format!("{} passed", totals.passed), known),
        ("bad", format!("{} failed", totals.failed), broken),
        ("quiet", format!("{} skipped", totals.skipped), inconclusive),
    ];
    html! {
        ul class="totals" {
            @for (class, text, of_these) in parts {
                li class=(class) { (text) @if let Some(of_these) = of_these { " (" (of_these) ")" } }
            }
            li { (format!("{:.1} s", document.wall_ms / 1000.0)) }
            li { (plural(document.cards.len(), "subject")) }
        }
    }
}

fn filters(document: &Document) -> Markup {
    let families: BTreeSet<&str> = document.results.iter().map(|record| family(&record.case)).collect();
    let outcomes: BTreeSet<Outcome> = document.results.iter().map(|record| record.outcome).collect();
    let blamed: BTreeSet<Layer> =
        document.results.iter().filter_map(|record| record.blame.as_ref()).map(|blame| blame.layer).collect();
    let outcomes = outcomes.iter().map(|outcome| {
        let count = document.results.iter().filter(|record| record.outcome == *outcome).count();
        (name_of(*outcome), format!("{} ({count})", outcome.word().to_lowercase()))
    });
    let same = |name: &str| (name.to_owned(), name.to_owned());
    html! {
        form id="filters" role="search" {
            label { "Search" input type="search" name="text" placeholder="case, model, finding" autocomplete="off" spellcheck="false"; }
            (choice("Family", "family", families.into_iter().map(same)))
            (choice("Outcome", "outcome", outcomes))
            (choice("Blamed layer", "layer", blamed.into_iter().map(|layer| same(layer.name()))))
            button type="reset" { "Reset" }
            output id="count" aria-live="polite" {}
        }
    }
}

fn choice(label: &str, name: &str, options: impl Iterator<Item = (String, String)>) -> Markup {
    html! {
        label { (label) select name=(name) {
            option value="" { "all" }
            @for (value, text) in options { option value=(value) { (text) } }
        } }
    }
}

/// The value in the JSON report.
fn name_of(outcome: Outcome) -> String {
    serde_json::to_value(outcome).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

fn subjects(document: &Document) -> Markup {
    html! {
        section aria-labelledby="subjects" {
            h2 id="subjects" { "Subjects" }
            @for (name, card) in &document.cards { (subject(name, card)) }
        }
    }
}

fn subject(name: &str, card: &Card) -> Markup {
    let devices: Vec<String> =
        card.devices.iter().map(|device| format!("{}: {}", device.name, device.description.trim())).collect();
    html! {
        details class="card" {
            summary { b { (name) } " " span { (devices.join(", ")) } }
            dl {
                dt { "llama.cpp" } dd { (card.llama()) " (" (card.bindings) ")" }
                dt { "System" } dd { (card.os) ", " (card.arch) }
                dt { "Wrapper" } dd { (card.wrapper) }
                dt { "Features" } dd { (card.cpu_features) }
                @if let Some(fault) = &card.fault { dt { "Fault" } dd { (fault) } }
            }
        }
    }
}
