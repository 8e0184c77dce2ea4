//! xtask while it runs.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::support::Answer;

/// How long its end is waited for. Only a broken harness uses it up.
const PATIENCE: Duration = Duration::from_secs(60);

/// A started xtask. Its output is read as it comes.
pub(crate) struct Running {
    child: Child,
    stdout: Receiver<String>,
    stderr: Receiver<String>,
}

impl Running {
    /// Starts `command`.
    pub(crate) fn start(mut command: Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("a program");
        let (stdout, stderr) = (read(child.stdout.take()), read(child.stderr.take()));
        Self { child, stdout, stderr }
    }

    /// Sends it a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(self.child.id().cast_signed()).expect("a process id");
        kill_process(pid, signal).expect("a running xtask");
    }

    /// Waits for its end.
    pub(crate) fn end(mut self) -> Answer {
        let Ok(stdout) = self.stdout.recv_timeout(PATIENCE) else {
            self.child.kill().expect("a running xtask");
            panic!("xtask does not end");
        };
        let stderr = self.stderr.recv().expect("standard error");
        let status = self.child.wait().expect("a child");
        Answer { code: status.code().unwrap_or(-1), stdout, stderr }
    }
}

/// Everything that is written to `stream`, once it is closed.
fn read(stream: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut text = String::new();
        stream.expect("a pipe").read_to_string(&mut text).expect("xtask writes UTF-8");
        // A test that gave up listens no more.
        let _ = sender.send(text);
    });
    receiver
}
