//! What llama.cpp logged during one request: a bounded ring, filled by the engine's log callback.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Lines that are kept.
const LINES: usize = 40;
/// Bytes of a line that are kept.
const LINE_BYTES: usize = 400;

static LOG: Mutex<LogRing> = Mutex::new(LogRing::new());

/// How much a logged text matters; ggml's levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// Of interest to llama.cpp's developers only; not kept.
    Debug,
    /// Information.
    Info,
    /// A warning.
    Warn,
    /// An error.
    Error,
}

/// Adds a logged text; `None` continues the text before it. Returns whether the text is worth showing.
pub(crate) fn push(level: Option<Level>, text: &str) -> bool {
    ring().push(level, text)
}

/// Forgets everything: a new request begins.
pub(crate) fn begin() {
    *ring() = LogRing::new();
}

/// The last lines, oldest first.
pub(crate) fn tail() -> Vec<String> {
    ring().tail.iter().cloned().collect()
}

/// The last warnings and errors, oldest first.
pub(crate) fn problems() -> Vec<String> {
    ring().problems.iter().cloned().collect()
}

fn ring() -> MutexGuard<'static, LogRing> {
    LOG.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The ring. Texts come in pieces; a line ends at its newline.
#[derive(Debug)]
struct LogRing {
    tail: VecDeque<String>,
    problems: VecDeque<String>,
    level: Level,
    partial: String,
}

impl LogRing {
    const fn new() -> Self {
        Self { tail: VecDeque::new(), problems: VecDeque::new(), level: Level::Info, partial: String::new() }
    }

    fn push(&mut self, level: Option<Level>, text: &str) -> bool {
        if let Some(level) = level {
            self.level = level;
        }
        if self.level == Level::Debug {
            return false;
        }
        for piece in text.split_inclusive('\n') {
            self.extend(piece.trim_end_matches('\n'));
            if piece.ends_with('\n') {
                self.end_line();
            }
        }
        true
    }

    fn extend(&mut self, piece: &str) {
        for character in piece.chars() {
            if self.partial.len() + character.len_utf8() > LINE_BYTES {
                return;
            }
            self.partial.push(character);
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.partial);
        if line.trim().is_empty() {
            return;
        }
        if self.level >= Level::Warn {
            keep(&mut self.problems, line.clone());
        }
        keep(&mut self.tail, line);
    }
}

fn keep(lines: &mut VecDeque<String>, line: String) {
    if lines.len() == LINES {
        lines.pop_front();
    }
    lines.push_back(line);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_assembled_from_pieces() {
        let mut ring = LogRing::new();
        assert!(ring.push(Some(Level::Info), "load: ."));
        assert!(ring.push(None, ".."));
        assert!(ring.push(None, "\nnext\n\n"));
        assert!(!ring.push(Some(Level::Debug), "noise\n"));
        assert!(!ring.push(None, "more noise\n"));
        assert!(ring.push(Some(Level::Error), "broken\n"));
        assert_eq!(ring.tail, ["load: ...", "next", "broken"]);
        assert_eq!(ring.problems, ["broken"]);
    }

    #[test]
    fn the_ring_and_its_lines_are_bounded() {
        let mut ring = LogRing::new();
        for number in 0..100 {
            ring.push(Some(Level::Warn), &format!("{number} {}\n", "é".repeat(1000)));
        }
        assert_eq!((ring.tail.len(), ring.problems.len()), (LINES, LINES));
        assert!(ring.tail.iter().all(|line| line.len() <= LINE_BYTES));
        assert!(ring.tail[0].starts_with("60 ") && ring.tail[LINES - 1].starts_with("99 "));
    }
}
