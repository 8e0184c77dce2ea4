//! Which probes are alive: each holds a named pipe open from its start to its end, whatever ends it.

use std::fs::File;
use std::io::Read as _;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// How long anything is waited for that comes by itself. Only a broken harness uses it up.
const PATIENCE: Timespec = Timespec { tv_sec: 60, tv_nsec: 0 };

/// A named pipe into which every probe writes its process id, and which ends when the last of them does.
pub(crate) struct Alive {
    path: PathBuf,
    /// Open in both directions: so probes find a reader, and the pipe does not end between two of them.
    held: File,
    unread: Vec<u8>,
}

impl Alive {
    /// Makes the pipe.
    pub(crate) fn new(path: PathBuf) -> Self {
        make_pipe(&path);
        let held = File::options().read(true).write(true).open(&path).expect("a pipe");
        Self { path, held, unread: Vec::new() }
    }

    /// What a shell script has to do to be counted; the program that it becomes is counted too.
    pub(crate) fn join(&self) -> String {
        format!("exec 9>'{}' && echo $$ >&9", self.path.display())
    }

    /// The process id of the next probe, once it has started.
    pub(crate) fn next(&mut self) -> u32 {
        loop {
            if let Some(end) = self.unread.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.unread.drain(..=end).collect();
                return String::from_utf8_lossy(&line).trim().parse().expect("a process id");
            }
            let mut piece = [0; 256];
            await_input(&self.held, "no probe has started");
            let count = self.held.read(&mut piece).expect("a pipe");
            self.unread.extend_from_slice(&piece[..count]);
        }
    }

    /// Returns once no probe is alive.
    pub(crate) fn await_end(self) {
        let mut pipe = File::open(&self.path).expect("a pipe");
        drop(self.held);
        let mut piece = [0; 256];
        loop {
            await_input(&pipe, "a probe is still alive");
            if pipe.read(&mut piece).expect("a pipe") == 0 {
                return;
            }
        }
    }
}

/// Makes a named pipe.
pub(crate) fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
}

/// Waits until `stream` can be read, or has ended.
#[track_caller]
pub(crate) fn await_input(stream: &impl AsFd, otherwise: &str) {
    let ready =
        poll(&mut [PollFd::new(stream, PollFlags::IN)], Some(&PATIENCE)).expect("a file that can wait");
    assert_ne!(ready, 0, "{otherwise}");
}
