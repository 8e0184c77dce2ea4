//! The last lines of a child's standard error.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How many lines are kept.
pub const LOG_LINES: usize = 40;

/// How many characters of a line are kept; a longer one ends in `…`.
pub const LOG_LINE_CHARS: usize = 400;

/// How long the rest of a dead child's log is waited for. Only a process that left the child's group and still
/// holds its standard error can use it up.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bounded log, filled by a thread for as long as the stream lasts: a child that floods it never blocks.
pub(super) struct Log {
    ring: Mutex<Ring>,
    closed: Condvar,
}

#[derive(Default)]
struct Ring {
    lines: VecDeque<String>,
    unfinished: Vec<u8>,
    closed: bool,
}

impl Log {
    /// Starts draining `stream`.
    pub(super) fn drain(mut stream: impl Read + Send + 'static) -> io::Result<Arc<Self>> {
        let log = Arc::new(Self { ring: Mutex::default(), closed: Condvar::new() });
        let filled = Arc::clone(&log);
        thread::Builder::new().name("subject-stderr".to_owned()).spawn(move || {
            let mut buffer = [0; 16 * 1024];
            loop {
                match stream.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(count) => filled.with(|ring| ring.take_in(&buffer[..count])),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => break,
                }
            }
            filled.with(|ring| ring.closed = true);
            filled.closed.notify_all();
        })?;
        Ok(log)
    }

    /// Forgets what was logged: the next lines belong to the next request.
    pub(super) fn clear(&self) {
        self.with(|ring| {
            ring.lines.clear();
            ring.unfinished.clear();
        });
    }

    /// The last lines of a child that has ended.
    pub(super) fn tail(&self) -> Vec<String> {
        let ring = self.ring.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut ring, _) = self
            .closed
            .wait_timeout_while(ring, PATIENCE, |ring| !ring.closed)
            .unwrap_or_else(PoisonError::into_inner);
        if !ring.unfinished.is_empty() {
            ring.finish_line();
        }
        ring.lines.iter().cloned().collect()
    }

    fn with(&self, change: impl FnOnce(&mut Ring)) {
        change(&mut self.ring.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Ring {
    fn take_in(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let text = part.strip_suffix(b"\n").unwrap_or(part);
            // UTF-8 needs at most 4 bytes a character, and one character more than is shown tells a cut line.
            let room = (4 * (LOG_LINE_CHARS + 1)).saturating_sub(self.unfinished.len());
            self.unfinished.extend_from_slice(&text[..text.len().min(room)]);
            if text.len() < part.len() {
                self.finish_line();
            }
        }
    }

    fn finish_line(&mut self) {
        let text = String::from_utf8_lossy(&self.unfinished);
        let text = text.trim_end_matches('\r');
        let mut line: String = text.chars().take(LOG_LINE_CHARS).collect();
        if line.len() < text.len() {
            line.push('…');
        }
        self.unfinished.clear();
        self.lines.push_back(line);
        if self.lines.len() > LOG_LINES {
            self.lines.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LOG_LINE_CHARS, LOG_LINES, Log};

    #[track_caller]
    fn check(stream: &[u8], expect: &[&str]) {
        let log = Log::drain(std::io::Cursor::new(stream.to_vec())).expect("a thread");
        assert_eq!(log.tail(), expect);
    }

    #[test]
    fn keeps_lines_and_the_unfinished_one() {
        check(b"", &[]);
        check(b"one\r\ntwo\n\nfour", &["one", "two", "", "four"]);
        check(b"bad \xff byte\n", &["bad \u{fffd} byte"]);
    }

    #[test]
    fn cuts_long_lines_and_forgets_old_ones() {
        let cut = format!("{}…", "ä".repeat(LOG_LINE_CHARS));
        check("ä".repeat(LOG_LINE_CHARS * 9).as_bytes(), &[&cut]);
        check("ä".repeat(LOG_LINE_CHARS).as_bytes(), &[&"ä".repeat(LOG_LINE_CHARS)]);
        let many: String = (0..LOG_LINES + 3).map(|line| format!("{line}\n")).collect();
        let kept: Vec<String> = (3..LOG_LINES + 3).map(|line| line.to_string()).collect();
        check(many.as_bytes(), &kept.iter().map(String::as_str).collect::<Vec<_>>());
    }
}
