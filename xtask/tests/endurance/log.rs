//! What probes write to their standard error, as it comes.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::alive::make_pipe;

/// How long a line is waited for that comes by itself. Only a broken harness uses it up.
const PATIENCE: Duration = Duration::from_secs(60);

/// A named pipe that is read to its end, so that nobody who writes to it has to wait.
pub(crate) struct Log(Receiver<String>);

impl Log {
    /// Makes the pipe and begins to read.
    pub(crate) fn new(path: &Path) -> Self {
        make_pipe(path);
        // Open in both directions: so it does not end between two probes.
        let pipe = File::options().read(true).write(true).open(path).expect("a pipe");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(pipe).split(b'\n').map_while(Result::ok) {
                // What nobody waits for any more is still read.
                let _ = sender.send(String::from_utf8_lossy(&line).into_owned());
            }
        });
        Self(lines)
    }

    /// Returns once a line contains `part`.
    #[track_caller]
    pub(crate) fn await_line(&self, part: &str) {
        while !self.0.recv_timeout(PATIENCE).expect("a further line").contains(part) {}
    }
}
