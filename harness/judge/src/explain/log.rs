//! A log, read once from beginning to end.

use std::collections::HashMap;
use std::io::{self, BufRead};

use super::clean::clean;
use super::explained::{Explained, LogReport};
use super::facts::{Facts, Fit};
use super::lines::Lines;
use super::matcher::{Hit, Matcher};
use super::words::{fill, shortened};
use super::{Signature, When, signatures};

/// Characters of a matched line that are shown.
const SHOWN_CHARS: usize = 300;

/// Differing meanings of one signature that are told apart; more of them count for the last.
const MOST_MEANINGS: usize = 12;

/// Explains a log: what it shows, which of that is the cause, and what to do.
///
/// One pass, bounded memory, whatever the bytes are.
///
/// # Errors
/// When reading fails.
pub fn explain_log(reader: impl BufRead) -> io::Result<LogReport> {
    let mut lines = Lines::new(reader);
    let mut facts = Facts::default();
    let mut found = Found::default();
    let matcher = Matcher::get();
    let mut number = 0;
    while let Some(bytes) = lines.next()? {
        number += 1;
        let line = clean(bytes);
        for hit in matcher.hits(&line) {
            found.add(hit, number, &line);
        }
        for fit in facts.observe(&line) {
            found.add_fit(&fit, number, &line);
        }
    }
    for fit in facts.end() {
        found.add_fit(&fit, number, "(the end of the log)");
    }
    Ok(LogReport::new(lines.count, lines.bytes, lines.cut, found.findings))
}

/// Findings so far; equal ones are one.
#[derive(Default)]
struct Found {
    findings: Vec<Explained>,
    /// The findings of each signature, by index.
    of: HashMap<&'static str, Vec<usize>>,
}

impl Found {
    fn add(&mut self, hit: Hit, number: u64, line: &str) {
        let known = self.of.entry(&hit.signature.id).or_default();
        let same = known.iter().find(|index| self.findings[**index].meaning == hit.meaning);
        let last = known.last().filter(|_| known.len() >= MOST_MEANINGS);
        if let Some(index) = same.or(last) {
            self.findings[*index].count += 1;
            return;
        }
        known.push(self.findings.len());
        self.findings.push(Explained::new(hit.signature, number, shortened(line, SHOWN_CHARS), hit.meaning));
    }

    fn add_fit(&mut self, fit: &Fit, number: u64, line: &str) {
        let wanted =
            |signature: &&Signature| matches!(&signature.when, When::Rule(rule) if *rule == fit.rule);
        if let Some(signature) = signatures().iter().find(wanted) {
            let meaning = fill(&signature.meaning, |name| fit.values.get(name).cloned());
            self.add(Hit { signature, meaning }, number, line);
        }
    }
}
