//! What came of the faults, as a person reads it.

use std::fmt::Write as _;

use judge::faults::{Expectation, FaultReport, Row, SeedReport};
use judge::report::plural;

use crate::table::Table;

/// The table, then whatever is wrong in sentences, then the figures.
pub(super) fn text(report: &FaultReport) -> String {
    let mut table = Table::new(&["fault", "case", "model", "blamed layer", "finding", "NMSE", "verdict"]);
    for row in &report.rows {
        table.row([
            row.fault.clone(),
            row.case.clone(),
            row.model.clone(),
            row.layer.map_or("-", |layer| layer.name()).to_owned(),
            finding(row),
            effect(row),
            verdict(row).to_owned(),
        ]);
    }
    let mut text = table.to_string();
    for skipped in &report.skipped {
        let _ = writeln!(text, "skipped: {}: {}", skipped.fault, skipped.reason);
    }
    problems(report, &mut text);
    figures(report, &mut text);
    text
}

fn finding(row: &Row) -> String {
    match (&row.finding, &row.stated) {
        (Some(code), _) => code.to_string(),
        (None, Expectation::Broken(_)) if row.caught => "(refused)".to_owned(),
        (None, _) => "-".to_owned(),
    }
}

fn effect(row: &Row) -> String {
    match row.effect {
        Some(effect) if effect.not_finite > 0 => format!("{} not finite", effect.not_finite),
        Some(effect) => format!("{:.1e}", effect.nmse),
        None => "-".to_owned(),
    }
}

const fn verdict(row: &Row) -> &'static str {
    match (row.caught, row.as_stated) {
        (true, true) => "caught",
        (true, false) => "MISBLAMED",
        (false, _) => "MISSED",
    }
}

fn problems(report: &FaultReport, text: &mut String) {
    for row in report.wrong_rows() {
        let stated = match &row.stated {
            Expectation::Blame { layer, finding } => format!("{finding} on the layer {}", layer.name()),
            Expectation::Broken(words) => format!("a refusal with the words \"{words}\""),
        };
        let (fault, case, model) = (&row.fault, &row.case, &row.model);
        let said = if row.sentence.is_empty() { "nothing was found" } else { &row.sentence };
        let _ =
            writeln!(text, "{}: {fault} on {case} with {model}: stated is {stated}; {said}", verdict(row));
    }
    for record in &report.healthy.alarms {
        let why = record.blame.as_ref().map(|blame| blame.sentence.clone()).or(record.reason.clone());
        let (case, model) = (&record.case, &record.model);
        let _ = writeln!(text, "FALSE ALARM: {case} with {model}: {}", why.unwrap_or_default());
    }
    for alarm in &report.seeds.alarms {
        let message = alarm.findings.first().map_or("", |finding| finding.message.as_str());
        let variation = &alarm.variation;
        let _ = writeln!(
            text,
            "FALSE ALARM: {} under seed {} ({} threads, n_batch {}): {message}",
            alarm.item, variation.seed, variation.n_threads, variation.n_batch
        );
    }
}

fn figures(report: &FaultReport, text: &mut String) {
    let faults = |keep: fn(&Row) -> bool| {
        let mut all: Vec<&str> = report.rows.iter().map(|row| row.fault.as_str()).collect();
        all.dedup();
        let lost = |fault: &&&str| report.rows.iter().any(|row| row.fault == ***fault && !keep(row));
        (all.len() - all.iter().filter(lost).count(), all.len())
    };
    let ((caught, all), (stated, _)) = (faults(|row| row.caught), faults(|row| row.as_stated));
    let _ = writeln!(
        text,
        "{caught} of {all} faults caught, {stated} blamed as stated ({} with a stated reason)",
        plural(report.exceptions.len(), "exception")
    );
    let _ = writeln!(
        text,
        "healthy subject: {} on {}; {}",
        plural(report.healthy.alarms.len(), "alarm"),
        plural(report.healthy.items, "item"),
        seeds(&report.seeds)
    );
    let _ = writeln!(text, "{:.1} s", report.seconds);
}

fn seeds(seeds: &SeedReport) -> String {
    let alarms = plural(seeds.alarms.len(), "alarm");
    let over =
        format!("{} over {} ({})", alarms, plural(seeds.seeds, "seed"), plural(seeds.answers, "answer"));
    match seeds.bound95() {
        Some(bound) => format!("{over}: at most {:.1} % of runs, at 95 %", bound * 100.0),
        None => over,
    }
}

#[cfg(test)]
mod tests {
    use judge::faults::{Exception, Healthy};
    use serde_json::json;

    use super::*;

    fn report() -> FaultReport {
        let row = |fault: &str, caught, as_stated| Row {
            fault: fault.to_owned(),
            case: "eog/x".to_owned(),
            model: "m".to_owned(),
            stated: Expectation::Broken("no".to_owned()),
            caught,
            as_stated,
            layer: None,
            finding: None,
            sentence: String::new(),
            findings: Vec::new(),
            effect: (fault == "a").then(|| {
                serde_json::from_value(json!({"positions": 1, "nmse": 0.001, "not_finite": 0})).unwrap()
            }),
            milliseconds: 1.0,
        };
        FaultReport {
            version: FaultReport::VERSION,
            subject: "cpu".to_owned(),
            rows: vec![
                row("a", true, true),
                row("a", true, false),
                row("b", false, false),
                row("c", true, true),
            ],
            skipped: Vec::new(),
            exceptions: vec![Exception { fault: "a".to_owned(), reason: "why".to_owned() }],
            healthy: Healthy { items: 4, alarms: Vec::new() },
            seeds: SeedReport { seeds: 50, answers: 300, alarms: Vec::new() },
            seconds: 1.25,
        }
    }

    #[test]
    fn the_table_and_what_is_wrong() {
        assert_eq!(
            text(&report()),
            "\
fault  case   model  blamed layer  finding    NMSE    verdict
a      eog/x  m      -             (refused)  1.0e-3  caught
a      eog/x  m      -             (refused)  1.0e-3  MISBLAMED
b      eog/x  m      -             -          -       MISSED
c      eog/x  m      -             (refused)  -       caught
MISBLAMED: a on eog/x with m: stated is a refusal with the words \"no\"; nothing was found
MISSED: b on eog/x with m: stated is a refusal with the words \"no\"; nothing was found
2 of 3 faults caught, 1 blamed as stated (1 exception with a stated reason)
healthy subject: 0 alarms on 4 items; 0 alarms over 50 seeds (300 answers): at most 6.0 % of runs, at 95 %
1.2 s
"
        );
    }
}
