//! How the tests ask.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use judge::subject::{Launch, WorkerKey};
use libtest_mimic::Trial;
use rustix::process::{Pid, test_kill_process};
use wire::{Config, Isolation, Limits, Observation, Request, Stimulus, Tokenize};

use crate::fake;

/// Long enough for anything that ends by itself.
pub(crate) const PATIENT: Duration = Duration::from_secs(120);

/// For what shows itself at once and then never ends.
pub(crate) const FAIR: Duration = Duration::from_secs(2);

/// For what never ends.
pub(crate) const SHORT: Duration = Duration::from_millis(300);

/// A test that panics where it fails.
pub(crate) fn trial(name: String, run: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, move || {
        run();
        Ok(())
    })
}

/// This binary as a subject.
pub(crate) fn launch(role: &str) -> Launch {
    Launch {
        program: env::current_exe().expect("a test knows its binary"),
        args: Vec::new(),
        env: vec![(fake::ROLE.to_owned(), role.to_owned())],
    }
}

/// This binary as a subject, started by a shell that runs `script` first.
pub(crate) fn launch_after(script: &str, role: &str) -> Launch {
    let direct = launch(role);
    let program = direct.program.to_string_lossy().into_owned();
    Launch {
        program: PathBuf::from("/bin/sh"),
        args: vec!["-c".to_owned(), format!("{script}; exec \"$0\""), program],
        env: direct.env,
    }
}

/// A request to do `deed`.
pub(crate) fn request(id: u64, deed: &str) -> Request {
    let asked = Tokenize { text: deed.to_owned(), add_special: false, parse_special: false };
    Request {
        id,
        model: None,
        config: Config::default(),
        stimulus: Stimulus::Tokenize(asked),
        limits: Limits::default(),
        adapter: None,
        forced_tokens: None,
        isolation: Isolation::Shared,
        watch: None,
    }
}

/// The key of a subject called `name`.
pub(crate) fn key(name: &str) -> WorkerKey {
    WorkerKey::of(name, &request(0, "pass"))
}

/// The process id that the fake wrote into its reply or its log.
pub(crate) fn told_pid(observation: &Observation) -> u32 {
    let told = observation.log_tail.iter().find_map(|line| line.strip_prefix(fake::PID));
    told.and_then(|pid| pid.parse().ok()).unwrap_or_else(|| panic!("no process id in {observation:?}"))
}

/// Asserts that a child of this process is gone, reaped and all.
#[track_caller]
pub(crate) fn assert_reaped(pid: u32) {
    let pid = Pid::from_raw(pid.cast_signed()).expect("a process id");
    assert_eq!(test_kill_process(pid), Err(rustix::io::Errno::SRCH), "process {pid:?} is still there");
}

/// Waits for the end of a process that somebody else reaps, who may be in no hurry: a zombie counts.
pub(crate) fn await_end(pid: u32) {
    let known = Pid::from_raw(pid.cast_signed()).expect("a process id");
    let is_zombie =
        || fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| stat.contains(") Z "));
    while test_kill_process(known).is_ok() && !is_zombie() {
        thread::yield_now();
    }
}
