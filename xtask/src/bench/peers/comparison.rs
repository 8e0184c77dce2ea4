//! Ours beside the peer's: times of alternating runs, and the ratio of their medians.

use std::time::Duration;

use serde::Serialize;

use crate::bench::Spread;
use crate::table::Table;

/// Everything that was compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Comparison {
    /// Measured runs of each side.
    pub(crate) runs: usize,
    /// What was compared.
    pub(crate) figures: Vec<Pair>,
}

/// The same work on both sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Pair {
    /// The work.
    pub(crate) work: &'static str,
    /// How much of it there is.
    pub(crate) amount: usize,
    /// Of what.
    pub(crate) unit: &'static str,
    /// Wall time of our runs in seconds, from the process's start to its end.
    pub(crate) ours_s: Spread,
    /// The peer's.
    pub(crate) peer_s: Spread,
    /// Ours over the peer's: of medians. At most 1 is what the project has promised.
    pub(crate) ratio: f64,
}

impl Pair {
    /// Of what both sides took.
    pub(crate) fn of(
        work: &'static str,
        (amount, unit): (usize, &'static str),
        times: &[[Duration; 2]],
    ) -> Self {
        let side = |index: usize| Spread::of(times.iter().map(|pair| pair[index].as_secs_f64()));
        let (ours_s, peer_s) = (side(0), side(1));
        Self { work, amount, unit, ours_s, peer_s, ratio: ours_s.median / peer_s.median }
    }

    /// Whether ours is no slower.
    pub(crate) fn is_met(&self) -> bool {
        self.ratio <= 1.0
    }
}

impl Comparison {
    /// For people.
    pub(crate) fn table(&self) -> Table {
        let mut table = Table::new(&["wall time, medians", "ours", "peer", "ratio", ""]);
        for pair in &self.figures {
            let seconds = |spread: Spread| format!("{:.2} s", spread.median);
            let verdict = if pair.is_met() { "" } else { "slower than the peer" };
            table.row([
                format!("{} of {} {}", pair.work, pair.amount, pair.unit),
                seconds(pair.ours_s),
                seconds(pair.peer_s),
                format!("{:.2}", pair.ratio),
                verdict.to_owned(),
            ]);
            let speed = |spread: Spread| format!("{:.0}", pair.amount as f64 / spread.median);
            let name = format!("  {} a second", pair.unit);
            table.row([name, speed(pair.ours_s), speed(pair.peer_s), String::new(), String::new()]);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_of_medians() {
        let times = [[4, 10], [2, 30], [3, 20]].map(|pair| pair.map(Duration::from_secs));
        let fast = Pair::of("sweep", (60, "models"), &times);
        assert_eq!((fast.ratio, fast.is_met()), (0.15, true));
        let slow = Pair::of("scoring", (100, "tokens"), &times.map(|[ours, peer]| [peer, ours]));
        assert!(!slow.is_met());
        let table = Comparison { runs: 3, figures: vec![fast, slow] }.table().to_string();
        assert_eq!(
            table,
            "\
wall time, medians     ours     peer     ratio
sweep of 60 models     3.00 s   20.00 s  0.15
  models a second      20       3
scoring of 100 tokens  20.00 s  3.00 s   6.67   slower than the peer
  tokens a second      5        33
"
        );
    }
}
