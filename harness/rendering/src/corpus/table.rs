//! What one engine made of the corpus.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Known;
use crate::Difference;

/// One template with one conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// The template's name.
    pub template: String,
    /// The conversation's name.
    pub conversation: String,
    /// How the engine differs from the reference; nothing where it gives the same.
    pub differences: Vec<Difference>,
    /// Where it differs: what to look at, for people.
    pub detail: String,
}

/// All cells of one engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EngineTable {
    /// Its name.
    pub engine: String,
    /// All cells, templates in order, and in each the conversations.
    pub cells: Vec<Cell>,
}

/// What is not as it is known to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// Cells that differ and are not known to.
    pub unknown: Vec<Cell>,
    /// Entries of the list that nothing needs, by their places in it.
    pub stale: Vec<usize>,
}

impl EngineTable {
    /// How many cells are the reference's.
    pub fn same(&self) -> usize {
        self.cells.iter().filter(|cell| cell.differences.is_empty()).count()
    }

    /// The same in hundredths of a percent, rounded down: 100 % is all of them.
    pub fn same_percent(&self) -> f64 {
        let hundredths = (self.same() * 10_000).checked_div(self.cells.len()).unwrap_or(0);
        hundredths as f64 / 100.0
    }

    /// How many cells have each difference.
    pub fn counts(&self) -> BTreeMap<Difference, usize> {
        let mut counts = BTreeMap::new();
        for difference in self.cells.iter().flat_map(|cell| &cell.differences) {
            *counts.entry(*difference).or_default() += 1;
        }
        counts
    }

    /// The templates in order, and how many of each one's cells differ.
    pub fn templates(&self) -> Vec<(&str, usize, usize)> {
        let mut rows: Vec<(&str, usize, usize)> = Vec::new();
        for cell in &self.cells {
            if rows.last().is_none_or(|(name, ..)| *name != cell.template) {
                rows.push((&cell.template, 0, 0));
            }
            if let Some((_, all, wrong)) = rows.last_mut() {
                *all += 1;
                *wrong += usize::from(!cell.differences.is_empty());
            }
        }
        rows
    }

    /// Compares what differs with what is known to.
    pub fn judge(&self, list: &[Known]) -> Judged {
        let covers = |entry: &Known, cell: &Cell| {
            entry.covers(&self.engine, &cell.template, &cell.conversation, &cell.differences)
        };
        let wrong: Vec<&Cell> = self.cells.iter().filter(|cell| !cell.differences.is_empty()).collect();
        let unknown = wrong.iter().filter(|cell| !list.iter().any(|entry| covers(entry, cell)));
        let ours = list.iter().enumerate().filter(|(_, entry)| entry.engine == self.engine);
        let stale = ours.filter(|(_, entry)| !wrong.iter().any(|cell| covers(entry, cell))).map(|(at, _)| at);
        Judged { unknown: unknown.map(|cell| (*cell).clone()).collect(), stale: stale.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_no_news_and_what_is_stale_is() {
        let cell = |template: &str, differences: &[Difference]| Cell {
            template: template.to_owned(),
            conversation: "c".to_owned(),
            differences: differences.to_vec(),
            detail: String::new(),
        };
        let table = EngineTable {
            engine: "jinja".to_owned(),
            cells: vec![cell("a", &[]), cell("b", &[Difference::Text]), cell("b", &[Difference::BosOnly])],
        };
        let known = |template: &str, engine: &str, differences: &[Difference]| Known {
            engine: engine.to_owned(),
            template: template.to_owned(),
            conversation: "*".to_owned(),
            differences: differences.to_vec(),
            why: String::new(),
            link: String::new(),
        };
        let list =
            [known("b", "jinja", &[Difference::Text]), known("a", "jinja", &[]), known("a", "builtin", &[])];
        let judged = table.judge(&list);
        assert_eq!(judged.unknown, [table.cells[2].clone()]);
        assert_eq!(judged.stale, [1]);
        assert_eq!((table.same(), table.same_percent()), (1, 33.33));
        assert_eq!(table.templates(), [("a", 1, 0), ("b", 2, 2)]);
        assert_eq!(table.counts()[&Difference::Text], 1);
    }
}
