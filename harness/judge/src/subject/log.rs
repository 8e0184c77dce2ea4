//! The last lines of a child's standard error.

use std::collections::VecDeque;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, ioctl_fionbio, read};

/// How many lines are kept.
pub const LOG_LINES: usize = 40;

/// How many characters of a line are kept; a longer one ends in `…`.
pub const LOG_LINE_CHARS: usize = 400;

/// How long the rest of a dead child's log is waited for. Only a process that left the child's group and still
/// holds its standard error can use it up.
const PATIENCE: Duration = Duration::from_secs(1);

/// Bytes of one read.
const CHUNK: usize = 16 * 1024;

/// As many chunks as a pipe can hold at most, 1 MiB on Linux.
const PIPE_CHUNKS: usize = 64;

/// A bounded log, filled by a thread for as long as the stream lasts: a child that floods it never blocks.
pub(super) struct Log {
    /// Does not block; read under the lock of `ring` only.
    stream: OwnedFd,
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
    pub(super) fn drain(stream: OwnedFd) -> io::Result<Arc<Self>> {
        ioctl_fionbio(&stream, true)?;
        let log = Arc::new(Self { stream, ring: Mutex::default(), closed: Condvar::new() });
        let filled = Arc::clone(&log);
        thread::Builder::new().name("subject-stderr".to_owned()).spawn(move || {
            while !filled.lock().closed {
                // An error here shows again when the stream is read.
                let _ = poll(&mut [PollFd::new(&filled.stream, PollFlags::IN)], None);
                filled.take_in(&mut filled.lock());
            }
            filled.closed.notify_all();
        })?;
        Ok(log)
    }

    /// Forgets what was logged, whether it was read yet or still waits in the pipe: what comes now belongs to the
    /// next request.
    pub(super) fn clear(&self) {
        let mut ring = self.lock();
        for _ in 0..PIPE_CHUNKS {
            if !self.take_in(&mut ring) {
                break;
            }
        }
        ring.lines.clear();
        ring.unfinished.clear();
    }

    /// The last lines of a child that has ended.
    pub(super) fn tail(&self) -> Vec<String> {
        let (mut ring, _) = self
            .closed
            .wait_timeout_while(self.lock(), PATIENCE, |ring| !ring.closed)
            .unwrap_or_else(PoisonError::into_inner);
        if !ring.unfinished.is_empty() {
            ring.finish_line();
        }
        ring.lines.iter().cloned().collect()
    }

    /// Reads once; whether there was something.
    fn take_in(&self, ring: &mut Ring) -> bool {
        let mut buffer = [0; CHUNK];
        match read(&self.stream, &mut buffer) {
            Ok(0) => ring.closed = true,
            Ok(count) => ring.add(&buffer[..count]),
            Err(Errno::AGAIN | Errno::INTR) => return false,
            Err(_) => ring.closed = true,
        }
        !ring.closed
    }

    fn lock(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ring {
    fn add(&mut self, bytes: &[u8]) {
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
    use std::io::Write;

    use super::{LOG_LINE_CHARS, LOG_LINES, Log};

    #[track_caller]
    fn check(stream: &[u8], expect: &[&str]) {
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        let log = Log::drain(reader.into()).expect("a thread");
        writer.write_all(stream).expect("a reader");
        drop(writer);
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

    #[test]
    fn what_was_written_before_a_clear_is_forgotten() {
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        let log = Log::drain(reader.into()).expect("a thread");
        for round in 0..1000 {
            writeln!(writer, "old {round}").expect("a reader");
            log.clear();
        }
        writeln!(writer, "new").expect("a reader");
        drop(writer);
        assert_eq!(log.tail(), ["new"]);
    }
}
