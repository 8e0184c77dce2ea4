//! The table on a terminal, or plain lines in CI.

use std::io::{self, Write};

use wire::Card;

use super::failure::explain;
use super::{matrix, plural};
use crate::session::{Event, Listener, Summary};
use crate::verdict::{Outcome, Record};

/// Reasons to skip that are told, those of most items.
const SKIPS_TOLD: usize = 3;

/// The word for what is not asked.
const SKIP: &str = Outcome::Skip.word();

/// Prints progress while a run goes on, and the table, the failures and the totals at its end.
pub struct Console<W> {
    out: W,
    /// Colour and a progress line that overwrites itself.
    terminal: bool,
    planned: usize,
    ended: usize,
    bad: usize,
    /// Whether the other end was closed.
    closed: bool,
}

impl<W: Write> Console<W> {
    /// A console on `out`; `terminal` says whether a person watches it.
    pub fn new(out: W, terminal: bool) -> Self {
        Self { out, terminal, planned: 0, ended: 0, bad: 0, closed: false }
    }

    fn planned(&mut self, items: usize, subjects: &[(String, Card)], jobs: usize) -> io::Result<()> {
        self.planned = items;
        for (name, card) in subjects {
            let devices: Vec<&str> = card.devices.iter().map(|device| device.description.trim()).collect();
            let llama = match card.llama_build {
                Some(_) => format!("llama.cpp {}", card.llama()),
                None => card.bindings.clone(),
            };
            writeln!(self.out, "{name}: {llama} · {} · {}", card.os, devices.join(", "))?;
        }
        writeln!(self.out, "{} on {}", plural(items, "item"), plural(jobs, "thread"))
    }

    fn ended(&mut self, record: &Record) -> io::Result<()> {
        if record.outcome == Outcome::Skip {
            return Ok(());
        }
        self.ended += 1;
        self.bad += usize::from(record.outcome.is_bad());
        if self.terminal {
            let (ended, planned) = (self.ended, self.planned);
            write!(self.out, "\r\x1b[2K[{ended}/{planned}] {} {}", record.subject, record.case)?;
            return self.out.flush();
        }
        if record.outcome.is_bad() {
            let Record { subject, model, case, .. } = record;
            writeln!(self.out, "{} {subject}/{model}/{case}", record.outcome.word())?;
        }
        Ok(())
    }

    fn finished(&mut self, summary: &Summary) -> io::Result<()> {
        if self.terminal {
            write!(self.out, "\r\x1b[2K")?;
        }
        self.table(&summary.records)?;
        self.reasons(summary)?;
        for record in summary.records.iter().filter(|record| record.outcome.is_bad()) {
            self.failure(record)?;
        }
        for stale in &summary.stale {
            writeln!(
                self.out,
                "\nstale known failure: {stale} fits no item any more; take it out of cases/known/"
            )?;
        }
        self.pending(summary)?;
        self.totals(summary)
    }

    /// The matrix, where the subjects part, what is to blame, and where each one computed.
    fn table(&mut self, records: &[Record]) -> io::Result<()> {
        let mut lines = matrix::matrix(records, &|outcome, text| self.paint(outcome, text));
        let below = [matrix::agreement(records), matrix::blame(records), matrix::placements(records)];
        lines.extend(below.into_iter().flatten());
        lines.iter().try_for_each(|line| writeln!(self.out, "{line}"))
    }

    fn paint(&self, outcome: Option<Outcome>, text: &str) -> String {
        let colour = match outcome {
            Some(Outcome::Pass | Outcome::ExpectedFail) => "32",
            Some(outcome) if outcome.is_bad() => "1;31",
            Some(_) => "33",
            None => return text.to_owned(),
        };
        if self.terminal { format!("\x1b[{colour}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// Skips and inconclusive items, by reason.
    fn reasons(&mut self, summary: &Summary) -> io::Result<()> {
        let quiet = |record: &&Record| {
            matches!(record.outcome, Outcome::Skip | Outcome::Inconclusive | Outcome::ExpectedFail)
        };
        let mut reasons: Vec<(&str, &str, usize)> = Vec::new();
        for record in summary.records.iter().filter(quiet) {
            // "known failure" says it already; elsewhere the reason stands alone.
            let reason = record.reason.as_deref().unwrap_or_default();
            let key = (record.outcome.word(), reason.strip_prefix("known: ").unwrap_or(reason));
            match reasons.iter_mut().find(|(word, reason, _)| (*word, *reason) == key) {
                Some(entry) => entry.2 += 1,
                None => reasons.push((key.0, key.1, 1)),
            }
        }
        // Why something is not asked seldom changes; what is known or unclear is always told.
        reasons.sort_by_key(|(word, _, count)| (*word == SKIP, std::cmp::Reverse(*count)));
        let skips = reasons.iter().position(|(word, ..)| *word == SKIP).unwrap_or(reasons.len());
        let rest = reasons.split_off(reasons.len().min(skips + SKIPS_TOLD));
        for (word, reason, count) in reasons {
            writeln!(self.out, "{word}: {reason} ({})", plural(count, "item"))?;
        }
        if !rest.is_empty() {
            let items = rest.iter().map(|(_, _, count)| count).sum();
            let reasons = plural(rest.len(), "other reason");
            writeln!(self.out, "{SKIP}: {reasons} ({}); the reports tell all", plural(items, "item"))?;
        }
        Ok(())
    }

    fn failure(&mut self, record: &Record) -> io::Result<()> {
        let Record { subject, model, case, .. } = record;
        let head = format!("{} {case} on {subject} with {model}", record.outcome.word());
        writeln!(self.out, "\n{}", self.paint(Some(record.outcome), &head))?;
        writeln!(self.out, "{}", explain(record, self.terminal.then(columns)))
    }

    fn pending(&mut self, summary: &Summary) -> io::Result<()> {
        let pending: Vec<_> = summary.records.iter().filter_map(|record| record.pending.as_ref()).collect();
        if pending.is_empty() {
            return Ok(());
        }
        writeln!(self.out, "\n{} waiting for review:", plural(pending.len(), "golden"))?;
        let here = std::env::current_dir().unwrap_or_default();
        for path in &pending {
            writeln!(self.out, "  {}", path.strip_prefix(&here).unwrap_or(path).display())?;
        }
        writeln!(self.out, "look at them with `cargo xtask review`")
    }

    fn totals(&mut self, summary: &Summary) -> io::Result<()> {
        let totals = &summary.totals;
        let mut parts = vec![
            format!("{} passed", totals.passed),
            format!("{} failed", totals.failed),
            format!("{} skipped", totals.skipped),
        ];
        let mut special = |count: usize, word: &str| {
            if count > 0 {
                parts.push(format!("{count} {word}"));
            }
        };
        special(totals.known_failures, "of the passed known failures");
        special(totals.inconclusive, "of the skipped inconclusive");
        special(totals.broken, "of the failed broken");
        let stopped = if summary.interrupted { "interrupted: " } else { "" };
        writeln!(self.out, "\n{stopped}{} in {:.2} s", parts.join(", "), summary.wall_ms / 1000.0)
    }
}

impl<W: Write> Listener for Console<W> {
    /// Where nobody reads any more (`… | head`), the run and its other reports go on.
    fn hear(&mut self, event: Event<'_>) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        match self.show(event) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            result => result.map_err(|error| {
                io::Error::new(error.kind(), format!("cannot write to standard output: {error}"))
            }),
        }
    }
}

impl<W: Write> Console<W> {
    fn show(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::Planned { items, subjects, jobs, .. } => self.planned(items, subjects, jobs),
            Event::Answered { .. } => Ok(()),
            Event::Ended(record) => self.ended(record),
            Event::Finished(summary) => self.finished(summary),
        }
    }
}

/// How wide the person's terminal is.
fn columns() -> usize {
    const USUAL: usize = 80;
    terminal_size::terminal_size().map_or(USUAL, |(width, _)| width.0.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Totals;

    #[test]
    fn a_healthy_run_does_not_end_in_a_page_of_skips() {
        let mut records = Vec::new();
        for (reason, count) in [("one", 1), ("four", 4), ("two", 2), ("three", 3), ("five", 5)] {
            let skip = Record::named("a/b", "m", "cpu", Outcome::Skip, Some(reason.into()));
            records.extend(vec![skip; count]);
        }
        records.push(Record::named("a/c", "m", "cpu", Outcome::Inconclusive, Some("unclear".into())));
        let summary =
            Summary { records, totals: Totals::default(), stale: vec![], wall_ms: 0.0, interrupted: false };
        let mut console = Console::new(Vec::new(), false);
        console.reasons(&summary).unwrap();
        let text = String::from_utf8(console.out).unwrap();
        let expected = "skip: five (5 items)\nskip: four (4 items)\nskip: three (3 items)\n\
                        skip: 2 other reasons (3 items); the reports tell all\n";
        assert!(text.ends_with(expected), "{text}");
        assert!(text.starts_with(&format!("{}: unclear (1 item)\n", Outcome::Inconclusive.word())), "{text}");
    }
}
