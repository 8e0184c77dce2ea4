//! Keeps every answer of a run in a recording.

use std::collections::HashSet;
use std::io;

use super::{Event, Listener};
use crate::subject::{Recording, key_of_attempt};

/// Writes each answer to a recording as soon as its item has ended.
#[derive(Debug)]
pub struct Recorder {
    recording: Recording,
    /// A reference is told with each item that is compared with it.
    written: HashSet<String>,
}

impl Recorder {
    /// Records into `recording`.
    pub fn new(recording: Recording) -> Self {
        Self { recording, written: HashSet::new() }
    }
}

impl Listener for Recorder {
    fn hear(&mut self, event: Event<'_>) -> io::Result<()> {
        let Event::Answered { item, attempt, answer } = event else { return Ok(()) };
        let key = key_of_attempt(&item.to_string(), attempt);
        if self.written.contains(&key) {
            return Ok(());
        }
        self.recording
            .put(&key, &answer.request, &answer.card, &answer.observation)
            .map_err(io::Error::other)?;
        self.written.insert(key);
        Ok(())
    }
}
