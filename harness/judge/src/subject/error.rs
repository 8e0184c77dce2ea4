//! Why the harness could not ask.

use std::io;

/// The harness failed, not the subject: no verdict can follow from it.
#[derive(Debug, thiserror::Error)]
pub enum SubjectError {
    /// The program is not there.
    #[error("no such program: {program}; build the probe with `cargo xtask build --backend NAME`")]
    Missing {
        /// The command line.
        program: String,
    },
    /// The program is there and cannot be started.
    #[error(
        "cannot start {program}; if it is no executable, rebuild it with `cargo xtask build --backend NAME`"
    )]
    Spawn {
        /// The command line.
        program: String,
        /// What the system says.
        source: io::Error,
    },
    /// It started, and no ready frame came.
    #[error(
        "{program} never got ready: {seen}; rebuild it with `cargo xtask build --backend NAME`{}",
        last_lines(log_tail)
    )]
    NotReady {
        /// The command line.
        program: String,
        /// What came instead.
        seen: String,
        /// The last lines of its standard error.
        log_tail: Vec<String>,
    },
    /// It speaks another version of the protocol.
    #[error(
        "{program} speaks protocol {theirs}, this harness speaks {ours}: one of them is stale; \
         rebuild the probe with `cargo xtask build --backend NAME`"
    )]
    Protocol {
        /// The command line.
        program: String,
        /// The version that it named.
        theirs: u64,
        /// The version of this harness.
        ours: u32,
    },
    /// The worker had died before it was asked. A [`super::Pool`] never says so: it starts another.
    #[error("{program} is no longer running; spawn a new worker for the next request")]
    NotRunning {
        /// The command line.
        program: String,
    },
    /// The request could not be written down.
    #[error("request {id} cannot be sent; report this as a bug of the harness")]
    Unsendable {
        /// The request's id.
        id: u64,
        /// What the encoder says.
        source: io::Error,
    },
    /// [`super::Pool::kill_all`] ended it.
    #[error("interrupted before an answer came; run again to ask it")]
    Interrupted,
}

fn last_lines(log_tail: &[String]) -> String {
    if log_tail.is_empty() {
        return "; it logged nothing".to_owned();
    }
    format!("; its last lines were:\n  {}", log_tail.join("\n  "))
}
