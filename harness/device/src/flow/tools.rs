//! Starts Apple's tools, and ends what takes too long.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Read;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::Value;

use crate::argv::Argv;
use crate::said::refused;
use crate::trouble::{Trouble, TroubleKind};

/// The environment in which tools run, and the folder that they run in.
#[derive(Clone, Debug)]
pub struct Tools {
    env: BTreeMap<OsString, OsString>,
    folder: PathBuf,
}

/// What a tool did.
#[derive(Clone, Debug)]
pub struct Done {
    /// How it ended.
    pub status: ExitStatus,
    /// What it printed.
    pub stdout: String,
    /// What it complained of.
    pub stderr: String,
}

impl Tools {
    /// Tools on the PATH of `env`, started in `folder`.
    pub fn new(env: BTreeMap<OsString, OsString>, folder: &Path) -> Self {
        Self { env, folder: folder.to_owned() }
    }

    /// Runs it to its end.
    ///
    /// # Errors
    /// When it is not there, or takes longer than it may. A failure of its own is in the status.
    pub fn run(&self, argv: &Argv) -> Result<Done, Trouble> {
        let missing = |error| {
            let message = format!(
                "`{}` cannot be started: {error}; install Xcode, then `cargo xtask device doctor`",
                argv.program
            );
            Trouble::new(TroubleKind::Down, message)
        };
        let program = self.find(&argv.program).ok_or_else(|| missing("it is not on PATH".to_owned()))?;
        let mut command = Command::new(program);
        command.args(&argv.args).env_clear().envs(&self.env).envs(argv.env.iter().map(|(k, v)| (k, v)));
        command.current_dir(&self.folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own: xcrun starts the tool as a child, and both are ended together.
        command.process_group(0);
        let child = command.spawn().map_err(|error| missing(error.to_string()))?;
        wait(child, argv)
    }

    /// Runs it; a failure of its own is trouble, too.
    ///
    /// # Errors
    /// As [`Self::run`], or in the tool's own words.
    pub fn demand(&self, argv: &Argv) -> Result<String, Trouble> {
        let done = self.run(argv)?;
        if done.status.success() {
            return Ok(done.stdout);
        }
        let words = if done.stderr.trim().is_empty() { &done.stdout } else { &done.stderr };
        Err(Trouble::of_words(&format!("`{argv}` failed ({})", done.status), last_lines(words)))
    }

    /// Runs a command of devicectl, and reads the JSON that it wrote to `json`, also where it failed.
    ///
    /// # Errors
    /// As [`Self::run`], or what devicectl says of the failure.
    pub fn devicectl(&self, argv: &Argv, json: &Path) -> Result<Value, Trouble> {
        // Left over from an earlier command it would speak of that.
        let _ = std::fs::remove_file(json);
        let done = self.run(argv)?;
        let answer = std::fs::read(json).ok().and_then(|text| serde_json::from_slice::<Value>(&text).ok());
        let what = format!("`{argv}` failed ({})", done.status);
        match answer {
            Some(answer) => refused(&what, &answer).map_or(Ok(answer), Err),
            None => Err(Trouble::of_words(&what, last_lines(&done.stderr))),
        }
    }

    fn find(&self, program: &str) -> Option<PathBuf> {
        let path = self.env.get(std::ffi::OsStr::new("PATH"))?;
        std::env::split_paths(path).map(|folder| folder.join(program)).find(|file| file.is_file())
    }
}

fn wait(mut child: Child, argv: &Argv) -> Result<Done, Trouble> {
    let (out, err) = (read(child.stdout.take()), read(child.stderr.take()));
    let id = child.id();
    let (sender, ended) = channel();
    let waiting = thread::spawn(move || sender.send(child.wait()));
    let status = match ended.recv_timeout(argv.limit) {
        Ok(status) => status.map_err(|error| Trouble::new(TroubleKind::Down, error.to_string()))?,
        Err(RecvTimeoutError::Timeout) => {
            if let Some(group) = i32::try_from(id).ok().and_then(Pid::from_raw) {
                let _ = kill_process_group(group, Signal::KILL);
            }
            let message = format!("`{argv}` took longer than {} s", argv.limit.as_secs());
            return Err(Trouble::new(TroubleKind::TimedOut, message));
        }
        Err(RecvTimeoutError::Disconnected) => {
            return Err(Trouble::new(TroubleKind::Down, format!("`{argv}` could not be waited for")));
        }
    };
    let _ = waiting.join();
    Ok(Done { status, stdout: out.join().unwrap_or_default(), stderr: err.join().unwrap_or_default() })
}

fn read(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// What of a tool's words is told: xcodebuild prints megabytes.
fn last_lines(words: &str) -> &str {
    const BYTES: usize = 1200;
    let words = words.trim();
    let mut from = words.len().saturating_sub(BYTES);
    while !words.is_char_boundary(from) {
        from += 1;
    }
    &words[from..]
}
