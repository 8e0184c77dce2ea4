//! What was measured, as a person reads it.

use std::fmt::Write as _;

use judge::calibrate::{Calibration, Gap, Metric, Row};
use judge::report::plural;

use crate::table::Table;

/// A table for each tolerance and model, then what is not as it should be.
pub(super) fn text(calibration: &Calibration) -> String {
    let mut text = String::new();
    for row in &calibration.rows {
        let _ = writeln!(text, "{}", head(row));
        let _ = writeln!(text, "{}", table(row));
    }
    for row in &calibration.rows {
        gaps(row, &mut text);
    }
    let unstated = calibration.rows.iter().filter(|row| !row.states_its_gaps()).count();
    let _ = writeln!(
        text,
        "{}, {} without a word about their gaps, {} a backend, {:.0} s",
        plural(calibration.rows.len(), "measurement"),
        unstated,
        plural(calibration.seeds, "seed"),
        calibration.seconds
    );
    text
}

fn head(row: &Row) -> String {
    let asked = format!("{}, {}", plural(row.answers, "answer"), plural(row.noise.positions, "position"));
    format!("{} on {}: {asked}", row.tolerance.name, row.model)
}

fn table(row: &Row) -> Table {
    let mut table = Table::new(&["  metric", "noise", "limit", "margin", "smallest fault", "", "margin"]);
    for metric in Metric::ALL {
        let limit = metric.limit(&row.tolerance);
        let smallest = row.smallest(metric);
        let distance = smallest.map(|effect| effect.distances.of(metric));
        table.row([
            format!("  {}", metric.name()),
            number(row.noise.of(metric)),
            number(limit),
            times(row.above_noise(metric)),
            distance.map_or_else(|| "-".to_owned(), number),
            smallest.map_or_else(String::new, |effect| effect.fault.clone()),
            distance.map_or_else(String::new, |distance| times(distance / limit)),
        ]);
    }
    table
}

fn gaps(row: &Row, text: &mut String) {
    for gap in row.gaps() {
        let word = if row.states_its_gaps() { "gap" } else { "UNSTATED GAP" };
        let what = match gap {
            Gap::Noise(metric, by) => format!("the limit of {} is {} the noise", metric.name(), times(by)),
            Gap::Fault(fault, by) => format!("{fault} is {} the limit", times(by)),
        };
        let _ = writeln!(text, "{word}: {} on {}: {what}", row.tolerance.name, row.model);
    }
}

/// Two digits that count.
fn number(value: f64) -> String {
    if value == 0.0 || value >= 0.01 { format!("{value:.2}") } else { format!("{value:.1e}") }
}

/// How many times: `12×`, `0.3×`.
fn times(value: f64) -> String {
    match value {
        value if value.is_infinite() => "∞".to_owned(),
        value if value < 10.0 => format!("{value:.1}×"),
        value => format!("{value:.0}×"),
    }
}

#[cfg(test)]
mod tests {
    use judge::calibrate::{Distances, Effect};
    use judge::finding::Code;

    use super::*;

    fn row(why: &str) -> Row {
        let tolerance = serde_json::json!({
            "name": "default", "nmse": 1e-4, "kl": 1e-3, "eog": 0.05, "near_tie": 0.1, "why": why
        });
        let noise = Distances { positions: 38, nmse: 2.4e-5, kl: 3e-6, eog: 0.005, near_tie: 0.0 };
        let effect = |fault: &str, finding, nmse, kl, eog| Effect {
            fault: fault.into(),
            finding,
            distances: Distances { positions: 38, nmse, kl, eog, near_tie: 1.0 },
        };
        Row {
            tolerance: serde_json::from_value(tolerance).unwrap(),
            model: "random-llama".into(),
            variants: Vec::new(),
            answers: 1,
            noise,
            faults: vec![
                effect("noise-1e-3", Code::LogitsDiffer, 1.1e-3, 2e-3, 0.1),
                effect("eog-lowered", Code::EogProbabilityDiffers, 1e-3, 0.1, 9.9),
            ],
        }
    }

    #[test]
    fn each_metric_has_a_line_and_each_gap_a_sentence() {
        let rows = vec![row("w"), row("the gap is this")];
        let seen = text(&Calibration { version: Calibration::VERSION, rows, seeds: 5, seconds: 1.4 });
        let table = "\
default on random-llama: 1 answer, 38 positions
  metric    noise   limit   margin  smallest fault               margin
  nmse      2.4e-5  1.0e-4  4.2×    1.1e-3          noise-1e-3   11×
  kl        3.0e-6  1.0e-3  333×    2.0e-3          noise-1e-3   2.0×
  eog       5.0e-3  0.05    10×     9.90            eog-lowered  198×
  near_tie  0.00    0.10    ∞       -

";
        let gaps = "\
UNSTATED GAP: default on random-llama: the limit of nmse is 4.2× the noise
gap: default on random-llama: the limit of nmse is 4.2× the noise
2 measurements, 1 without a word about their gaps, 5 seeds a backend, 1 s
";
        assert_eq!(seen, format!("{table}{table}{gaps}"));
    }
}
