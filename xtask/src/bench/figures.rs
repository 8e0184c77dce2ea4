//! Figures over several runs.

use serde::Serialize;

use super::report::{Item, Report};
use super::{Preflight, Spread};
use crate::progress;
use crate::table::Table;

/// The figures that the project has promised to keep, and what they are made of. Times are medians over runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Figures {
    /// Measured runs.
    pub(crate) runs: usize,
    /// Items in a run that were really asked.
    pub(crate) items: usize,
    /// Wall time of a run in milliseconds.
    pub(crate) wall_ms: Spread,
    /// Milliseconds inside llama.cpp, summed over a run's items.
    pub(crate) compute_ms: Spread,
    /// Milliseconds per item outside llama.cpp: a run's median item.
    pub(crate) overhead_per_item_ms: Spread,
    /// All items' time outside llama.cpp, as a part of all items' time; 0 to 1. Both are of the same run, so it
    /// says the same on a slow machine and a fast one.
    pub(crate) overhead_ratio: Spread,
    /// Wall time over the least that it could be: the milliseconds inside llama.cpp, shared evenly by the workers. 1 where
    /// nothing else takes time; the project promises at most 1.1 on a real model.
    pub(crate) wall_ratio: Spread,
    /// Mean and greatest number of bytes of a position in the goldens of the model that was named.
    pub(crate) golden_position_bytes: Option<(usize, usize)>,
    /// The most memory of the judging process in bytes, over all runs.
    pub(crate) peak_memory_bytes: Option<u64>,
    /// `preflight` of a file of 5 GiB.
    pub(crate) preflight: Preflight,
}

impl Figures {
    /// Of these runs by so many workers; `goldens` are the bytes of each position.
    pub(crate) fn of(reports: &[Report], jobs: usize, goldens: &[usize], preflight: Preflight) -> Self {
        let asked = |report: &Report| {
            report.results.iter().filter(|item| !item.is_skipped()).cloned().collect::<Vec<_>>()
        };
        let runs: Vec<Vec<Item>> = reports.iter().map(asked).collect();
        let wall_ratio = |(report, items): (&Report, &Vec<Item>)| {
            let least = compute_ms(items) / jobs as f64;
            if least > 0.0 { report.wall_ms / least } else { 0.0 }
        };
        let over = |figure: &dyn Fn(&[Item]) -> f64| Spread::of(runs.iter().map(|items| figure(items)));
        Self {
            runs: reports.len(),
            items: runs.iter().map(Vec::len).max().unwrap_or(0),
            wall_ms: Spread::of(reports.iter().map(|report| report.wall_ms)),
            compute_ms: over(&compute_ms),
            overhead_per_item_ms: over(&|items| Spread::of(items.iter().map(Item::overhead_ms)).median),
            overhead_ratio: over(&overhead_ratio),
            wall_ratio: Spread::of(reports.iter().zip(&runs).map(wall_ratio)),
            golden_position_bytes: goldens
                .iter()
                .max()
                .map(|most| (goldens.iter().sum::<usize>() / goldens.len(), *most)),
            peak_memory_bytes: reports.iter().filter_map(|report| report.peak_memory_bytes).max(),
            preflight,
        }
    }

    /// For people.
    pub(crate) fn table(&self) -> Table {
        let mut table = Table::new(&["figure", "median", "least", "greatest"]);
        let mut row = |name: &str, spread: Spread, show: &dyn Fn(f64) -> String| {
            table.row([name.to_owned(), show(spread.median), show(spread.min), show(spread.max)]);
        };
        let ms = |value: f64| format!("{value:.2} ms");
        row("suite, wall time", self.wall_ms, &ms);
        row("llama.cpp's own work, all items", self.compute_ms, &ms);
        row("overhead of one item", self.overhead_per_item_ms, &ms);
        row("preflight of 5 GiB", self.preflight.wall_ms, &ms);
        row("overhead, part of all items' time", self.overhead_ratio, &|value| {
            format!("{:.1} %", value * 100.0)
        });
        row("wall time, times that work by all workers", self.wall_ratio, &|value| format!("{value:.2}"));
        if let Some((mean, most)) = self.golden_position_bytes {
            table.row([
                "bytes of a golden position, mean".into(),
                mean.to_string(),
                String::new(),
                most.to_string(),
            ]);
        }
        let memory = self.peak_memory_bytes.map_or("not known here".to_owned(), progress::size);
        table.row(["judge's peak memory".to_owned(), memory, String::new(), String::new()]);
        let memory = self.preflight.peak_memory_bytes.map_or("not known here".to_owned(), progress::size);
        table.row(["preflight's peak memory".to_owned(), memory, String::new(), String::new()]);
        table
    }
}

fn compute_ms(items: &[Item]) -> f64 {
    items.iter().map(|item| item.compute_us as f64 / 1000.0).sum()
}

fn overhead_ratio(items: &[Item]) -> f64 {
    let total: f64 = items.iter().map(|item| item.milliseconds).sum();
    if total > 0.0 { items.iter().map(Item::overhead_ms).sum::<f64>() / total } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(wall_ms: f64, items: &[(f64, u64, &str)]) -> Report {
        let results: Vec<_> = items
            .iter()
            .map(|(ms, us, outcome)| serde_json::json!({"milliseconds": ms, "compute_us": us, "outcome": outcome}))
            .collect();
        let json =
            serde_json::json!({"version": 1, "wall_ms": wall_ms, "results": results, "peak_memory_bytes": 5});
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn figures_of_two_runs() {
        let runs = [
            report(100.0, &[(10.0, 8000, "pass"), (4.0, 3000, "fail"), (0.0, 0, "skip")]),
            report(200.0, &[(20.0, 18000, "pass"), (8.0, 4000, "fail"), (0.0, 0, "skip")]),
        ];
        let figures = Figures::of(&runs, 2, &[1000, 1401], Preflight::of(&[(7.0, Some(9)), (5.0, None)]));
        assert_eq!(figures.preflight.wall_ms.median, 6.0);
        assert_eq!(figures.preflight.peak_memory_bytes, Some(9));
        assert_eq!((figures.runs, figures.items, figures.peak_memory_bytes), (2, 2, Some(5)));
        assert_eq!(figures.wall_ms, Spread { min: 100.0, median: 150.0, max: 200.0 });
        assert_eq!(figures.compute_ms, Spread { min: 11.0, median: 16.5, max: 22.0 });
        assert_eq!(figures.overhead_per_item_ms, Spread { min: 1.5, median: 2.25, max: 3.0 });
        assert_eq!(figures.overhead_ratio.min, 3.0 / 14.0);
        assert_eq!((figures.wall_ratio.min, figures.wall_ratio.max), (100.0 / 5.5, 200.0 / 11.0));
        assert_eq!(figures.golden_position_bytes, Some((1200, 1401)));
    }

    #[test]
    fn nothing_measured_is_zero_and_no_panic() {
        let figures = Figures::of(&[], 1, &[], Preflight::of(&[]));
        assert_eq!(figures.wall_ms, Spread { min: 0.0, median: 0.0, max: 0.0 });
        assert!(figures.table().to_string().contains("not known here"));
    }
}
