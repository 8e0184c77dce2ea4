//! A run in one look: what came of each family of cases on each subject, where the subjects part, and who is to blame.

use std::collections::{BTreeMap, BTreeSet};

use super::grid::{Cell, lay_out, wrapped};
use super::plural;
use crate::finding::Code;
use crate::verdict::{Outcome, Placement, Record};

/// Up to this many questions each has a line of its own.
const FEW: usize = 24;

/// Questions that are named where subjects part; a report for programs has all.
const NAMED: usize = 12;

/// A question: case and model.
type Question<'a> = (&'a str, &'a str);

/// The table: families × subjects, or questions × subjects where they are few.
pub(super) fn matrix(records: &[Record], paint: &dyn Fn(Option<Outcome>, &str) -> String) -> Vec<String> {
    let subjects = subjects(records);
    let questions: BTreeSet<Question<'_>> = records.iter().map(question).collect();
    let few = questions.len() <= FEW;
    let key = |record: &Record| if few { named(question(record)) } else { family(record).to_owned() };
    let mut by_row: BTreeMap<String, BTreeMap<&str, Vec<&Record>>> = BTreeMap::new();
    for record in records {
        by_row.entry(key(record)).or_default().entry(&record.subject).or_default().push(record);
    }
    let head = subjects.iter().map(|subject| Cell::plain(*subject)).collect();
    let mut rows = vec![(if few { "case (model)" } else { "family" }.to_owned(), head)];
    for (label, cells) in by_row {
        let cell =
            |subject: &&str| cells.get(subject).map_or_else(|| Cell::plain(""), |records| cell(records));
        rows.push((label, subjects.iter().map(cell).collect()));
    }
    if rows.len() > 2 {
        let of =
            |subject: &&str| records.iter().filter(|record| record.subject == *subject).collect::<Vec<_>>();
        rows.push(("all".to_owned(), subjects.iter().map(|subject| counts(&of(subject))).collect()));
    }
    lay_out(&rows, paint)
}

/// Where the subjects part; nothing where there is one alone.
pub(super) fn agreement(records: &[Record]) -> Vec<String> {
    let mut outcomes: BTreeMap<Question<'_>, Vec<(&str, Outcome)>> = BTreeMap::new();
    for record in records.iter().filter(|record| record.outcome != Outcome::Skip) {
        outcomes.entry(question(record)).or_default().push((&record.subject, record.outcome));
    }
    outcomes.retain(|_, of| of.len() > 1);
    if outcomes.is_empty() {
        return Vec::new();
    }
    let part = |of: &&(Question<'_>, Vec<(&str, Outcome)>)| of.1.iter().any(|(_, other)| *other != of.1[0].1);
    let all: Vec<_> = outcomes.into_iter().collect();
    let parting: Vec<_> = all.iter().filter(part).collect();
    let said = plural(all.len(), "question");
    if parting.is_empty() {
        return vec![format!("all subjects came out alike on {said}")];
    }
    let mut lines = vec![format!("subjects part on {} of {said}:", parting.len())];
    for (question, of) in parting.iter().take(NAMED) {
        let cells: Vec<String> =
            of.iter().map(|(subject, outcome)| format!("{subject} {}", outcome.word())).collect();
        lines.extend(wrapped(&format!("{}: {}", named(*question), cells.join(", ")), 2, 4));
    }
    if parting.len() > NAMED {
        lines.push(format!("  and {} more; --json FILE has all", parting.len() - NAMED));
    }
    lines
}

/// Who is to blame for what, summed up: one line for each subject, layer and finding.
pub(super) fn blame(records: &[Record]) -> Vec<String> {
    let mut sums: BTreeMap<(&str, Outcome, usize, Code), BTreeMap<&str, usize>> = BTreeMap::new();
    for record in records {
        let Some(blame) = record.blame.as_ref().filter(|_| record.outcome != Outcome::Pass) else { continue };
        let key = (record.subject.as_str(), record.outcome, blame.layer as usize, blame.code);
        *sums.entry(key).or_default().entry(&record.case).or_default() += 1;
    }
    let line =
        |((subject, outcome, layer, code), cases): ((&str, Outcome, usize, Code), BTreeMap<&str, usize>)| {
            let layer = wire::Layer::ALL[layer].name();
            let count: usize = cases.values().sum();
            let named = |(case, count): (&str, usize)| {
                if count == 1 { case.to_owned() } else { format!("{case} ×{count}") }
            };
            let cases: Vec<String> = cases.into_iter().map(named).collect();
            // A remark blames no layer.
            let what = if code.is_remark() { "what: " } else { "blame:" };
            let layer = if code.is_remark() { String::new() } else { format!("{layer}, ") };
            let (short, cases) = (short(outcome), cases.join(", "));
            let text = format!("{what} {subject}: {layer}{code}: {count} {short}: {cases}");
            wrapped(&text, 0, 7)
        };
    sums.into_iter().flat_map(line).collect()
}

/// Where each subject computed, over all its answers.
pub(super) fn placements(records: &[Record]) -> Vec<String> {
    let mut sums: BTreeMap<&str, Placement> = BTreeMap::new();
    for record in records {
        if let Some(placement) = &record.placement {
            sums.entry(&record.subject).or_default().add(placement);
        }
    }
    sums.into_iter().flat_map(|(subject, sum)| wrapped(&format!("{subject}: {sum}"), 0, 2)).collect()
}

fn subjects(records: &[Record]) -> Vec<&str> {
    let mut subjects = Vec::new();
    for record in records {
        if !subjects.contains(&record.subject.as_str()) {
            subjects.push(record.subject.as_str());
        }
    }
    subjects.sort_unstable();
    subjects
}

fn question(record: &Record) -> Question<'_> {
    (&record.case, &record.model)
}

fn family(record: &Record) -> &str {
    record.case.split('/').next().unwrap_or_default()
}

fn named((case, model): Question<'_>) -> String {
    if model == "-" { case.to_owned() } else { format!("{case} ({model})") }
}

/// One record: its outcome and time. Several: how many ended how.
fn cell(records: &[&Record]) -> Cell<Outcome> {
    match records {
        [record] if record.outcome != Outcome::Skip => Cell {
            text: format!("{} {:.0} ms", short(record.outcome), record.milliseconds),
            paint: Some(record.outcome),
        },
        records => counts(records),
    }
}

/// `52 pass, 1 FAIL`, in the colour of the worst.
fn counts(records: &[&Record]) -> Cell<Outcome> {
    const WORST_LAST: [Outcome; 8] = [
        Outcome::Pass,
        Outcome::ExpectedFail,
        Outcome::Skip,
        Outcome::Inconclusive,
        Outcome::Improved,
        Outcome::Flaky,
        Outcome::Fail,
        Outcome::Broken,
    ];
    let count = |outcome: Outcome| records.iter().filter(|record| record.outcome == outcome).count();
    let counted: Vec<(Outcome, usize)> = WORST_LAST
        .into_iter()
        .map(|outcome| (outcome, count(outcome)))
        .filter(|(_, count)| *count > 0)
        .collect();
    let texts: Vec<String> =
        counted.iter().map(|(outcome, count)| format!("{count} {}", short(*outcome))).collect();
    Cell { text: texts.join(", "), paint: counted.last().map(|(outcome, _)| *outcome) }
}

/// The outcome's word where there is little room.
const fn short(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::ExpectedFail => "known",
        Outcome::Inconclusive => "unclear",
        other => other.word(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::grid::WIDTH;
    use super::*;

    fn record(subject: &str, case: &str, model: &str, outcome: &str) -> Record {
        serde_json::from_value(json!({
            "case": case, "model": model, "subject": subject, "outcome": outcome,
            "milliseconds": 12.0, "compute_us": 1,
            "blame": {"layer": "prefill", "code": "logits-differ", "sentence": "s", "next": "n"},
            "placement": {"nodes": {"CPU": 3, "Vulkan0": 40}, "elsewhere": {"CPU": ["GET_ROWS"]}}
        }))
        .unwrap()
    }

    /// 40 questions to each subject, of which vulkan fails two and skips one.
    fn run(subjects: &[&str]) -> Vec<Record> {
        let mut records = Vec::new();
        for subject in subjects {
            for index in 0..40 {
                let family = if index < 30 { "eog" } else { "numbers" };
                let outcome = match (*subject, index) {
                    ("vulkan", 38 | 39) => "fail",
                    ("vulkan", 0) => "skip",
                    _ => "pass",
                };
                let (case, model) = (format!("{family}/case-{:02}", index / 2), ["m", "-"][index % 2]);
                records.push(record(subject, &case, model, outcome));
            }
        }
        records
    }

    fn plain(records: &[Record]) -> Vec<String> {
        matrix(records, &|_, text| text.to_owned())
    }

    #[test]
    fn families_by_subjects() {
        assert_eq!(
            plain(&run(&["vulkan", "cpu"])),
            [
                "family   cpu      vulkan",
                "eog      30 pass  29 pass, 1 skip",
                "numbers  10 pass  8 pass, 2 FAIL",
                "all      40 pass  37 pass, 1 skip, 2 FAIL",
            ]
        );
    }

    #[test]
    fn few_questions_have_a_line_each() {
        let records = [record("cpu", "eog/a", "m", "pass"), record("vulkan", "eog/a", "m", "expected-fail")];
        assert_eq!(
            plain(&records),
            ["case (model)  cpu         vulkan", "eog/a (m)     pass 12 ms  known 12 ms"]
        );
    }

    #[test]
    fn any_number_of_subjects_fits() {
        let names = ["arm64", "cpu", "cpu-baseline", "cpu-blas", "cuda", "ios-sim", "metal", "vulkan"];
        for line in plain(&run(&names)) {
            assert!(line.chars().count() <= WIDTH && !line.ends_with(' '), "{line:?}");
        }
    }

    #[test]
    fn says_where_subjects_part() {
        assert_eq!(
            agreement(&run(&["cpu", "vulkan"])),
            [
                "subjects part on 2 of 39 questions:",
                "  numbers/case-19: cpu pass, vulkan FAIL",
                "  numbers/case-19 (m): cpu pass, vulkan FAIL",
            ]
        );
        assert_eq!(agreement(&run(&["cpu", "metal"])), ["all subjects came out alike on 40 questions"]);
        assert_eq!(agreement(&run(&["cpu"])), Vec::<String>::new());
    }

    #[test]
    fn blames_are_summed_up() {
        assert_eq!(
            blame(&run(&["cpu", "vulkan"])[40..]),
            [
                "blame: vulkan: prefill, logits-differ: 2 FAIL: numbers/case-19 ×2",
                "blame: vulkan: prefill, logits-differ: 1 skip: eog/case-00",
            ]
        );
    }

    #[test]
    fn placements_are_summed_up() {
        assert_eq!(
            placements(&run(&["vulkan"])[..10]),
            ["vulkan: 400 of 430 nodes on Vulkan0; GET_ROWS on CPU"]
        );
    }
}
