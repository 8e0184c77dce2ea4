//! Why the harness could not ask, or not keep and find what was answered.

use std::io;
use std::path::PathBuf;

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

/// Why a recording could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// A recording begins in an empty folder, so that two runs are never mixed.
    #[error("{} is not empty, it holds {}; name a new folder, or delete this one first", dir.display(), file.display())]
    NotEmpty {
        /// The folder.
        dir: PathBuf,
        /// Something in it.
        file: PathBuf,
    },
    /// There is no recording.
    #[error("{} holds no recording; make one with `cargo xtask test --record {}`", dir.display(), dir.display())]
    Missing {
        /// The folder.
        dir: PathBuf,
    },
    /// It was made by another version of this program.
    #[error("{}: a recording of version {theirs}, this program reads {ours}; record again", file.display())]
    Version {
        /// The recording's header.
        file: PathBuf,
        /// The version that it names.
        theirs: u32,
        /// The version that is read.
        ours: u32,
    },
    /// No recording wrote this.
    #[error("{}: no recorded item; move it out of the recording", file.display())]
    Foreign {
        /// The file.
        file: PathBuf,
    },
    /// The file is cut off, edited, or something else.
    #[error("{}: not as it was recorded; delete it and record again", file.display())]
    Json {
        /// The file.
        file: PathBuf,
        /// What the parser says, with line and column.
        source: serde_json::Error,
    },
    /// The file holds another item than its name says.
    #[error("{}: renamed, it is the record of {key:?}; delete it and record again", file.display())]
    Renamed {
        /// The file.
        file: PathBuf,
        /// The item in it.
        key: String,
    },
    /// The system refused to write.
    #[error("cannot write {}; free some space, or name a folder that can be written to", file.display())]
    Write {
        /// The file or folder.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The system refused to read.
    #[error("cannot read {}; check its permissions, or record again", file.display())]
    Read {
        /// The file or folder.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}
