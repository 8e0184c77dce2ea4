//! A child process with a process group of its own.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::{Launch, SubjectError};

/// How long a killed process is waited for. A driver can keep one in the kernel for longer; it is reaped when it
/// gets out, by the thread that watches it.
const PATIENCE: Duration = Duration::from_secs(5);

/// One start at a time: where pipes cannot be made close-on-exec in one step, a child that is started in between
/// inherits another one's stdin, which then never ends.
static STARTS: Mutex<()> = Mutex::new(());

/// A child. A thread waits for its end, kills what it left in its group, and reaps it: until then its process id,
/// and so its group's, cannot be taken by a stranger.
pub(super) struct Process {
    pid: Pid,
    state: Mutex<State>,
    gone: Condvar,
}

#[derive(Clone, Copy)]
enum State {
    Running,
    /// The status is missing where the system would not tell it.
    Gone(Option<ExitStatus>),
}

/// The other ends of a child's standard streams.
pub(super) struct Streams {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
    pub(super) stderr: ChildStderr,
}

impl Process {
    /// Starts `launch`; `on_exit` runs on another thread once the process has ended and was reaped.
    pub(super) fn start(
        launch: &Launch,
        on_exit: impl FnOnce() + Send + 'static,
    ) -> Result<(Arc<Self>, Streams), SubjectError> {
        let failed = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => SubjectError::Missing { program: launch.to_string() },
            _ => SubjectError::Spawn { program: launch.to_string(), source },
        };
        let mut child = {
            let _turn = STARTS.lock().unwrap_or_else(PoisonError::into_inner);
            launch.command().process_group(0).spawn().map_err(failed)?
        };
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("a launch pipes all three streams");
        };
        let pid = Pid::from_child(&child);
        forbid_core_dumps(pid);
        let process = Arc::new(Self { pid, state: Mutex::new(State::Running), gone: Condvar::new() });
        let watched = Arc::clone(&process);
        let watch = move || {
            watched.watch(child);
            on_exit();
        };
        thread::Builder::new().name("subject-wait".to_owned()).spawn(watch).map_err(|source| {
            process.kill();
            failed(source)
        })?;
        Ok((process, Streams { stdin, stdout, stderr }))
    }

    /// The child's process id, which is its group's too.
    pub(super) fn id(&self) -> u32 {
        self.pid.as_raw_nonzero().get().unsigned_abs()
    }

    /// Whether it runs, asked of the system.
    pub(super) fn is_alive(&self) -> bool {
        let state = self.lock();
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        matches!(*state, State::Running) && matches!(waitid(WaitId::Pid(self.pid), look), Ok(None))
    }

    /// Kills the whole group, and does not wait.
    pub(super) fn kill(&self) {
        if let State::Running = *self.lock() {
            // It fails only where nobody is left to be killed.
            let _ = kill_process_group(self.pid, Signal::KILL);
        }
    }

    /// Kills the whole group and waits for the child's end; how it ended, if it did and the system tells.
    pub(super) fn end(&self) -> Option<ExitStatus> {
        self.kill();
        let (state, _) = self
            .gone
            .wait_timeout_while(self.lock(), PATIENCE, |state| matches!(state, State::Running))
            .unwrap_or_else(PoisonError::into_inner);
        match *state {
            State::Running => None,
            State::Gone(status) => status,
        }
    }

    fn watch(&self, mut child: Child) {
        let exited = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while matches!(waitid(WaitId::Pid(self.pid), exited), Err(Errno::INTR)) {}
        let mut state = self.lock();
        // The child is a zombie now, so the group's id is still its own.
        let _ = kill_process_group(self.pid, Signal::KILL);
        *state = State::Gone(child.wait().ok());
        drop(state);
        self.gone.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A crash is expected here, and a core of a process that maps a model takes minutes and gigabytes.
#[cfg(target_os = "linux")]
fn forbid_core_dumps(pid: Pid) {
    use rustix::process::{Resource, Rlimit, prlimit};
    // It fails only for a child that has ended already.
    let _ = prlimit(Some(pid), Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
}

/// Elsewhere they are off unless somebody turned them on.
#[cfg(not(target_os = "linux"))]
fn forbid_core_dumps(_pid: Pid) {}
