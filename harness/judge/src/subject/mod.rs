//! Asking a subject: the only room that starts processes.
//!
//! A [`Worker`] is a child that speaks [`wire`] frames over its standard streams; a [`Pool`] keeps workers
//! between requests. Whatever a child does to a request (dies, hangs, talks nonsense) comes back as an
//! [`wire::Observation`] and costs that one request; a [`SubjectError`] means that the harness could not ask.
//! A [`Recording`] keeps what was seen, to be judged again elsewhere. This room must never look into an answer
//! or have an opinion about it.

mod contract;
mod conversation;
mod error;
mod key;
mod launch;
mod log;
mod pool;
mod process;
mod recorded;
mod recorded_key;
mod worker;

pub use contract::Subject;
pub use error::{RecordingError, SubjectError};
pub use key::WorkerKey;
pub use launch::{KEPT_ENVIRONMENT, Launch};
pub use log::{LOG_LINE_CHARS, LOG_LINES};
pub use pool::{Pool, READY_DEADLINE};
pub use recorded::{RECORDING_VERSION, Recorded, RecordedRun, Recording};
pub use recorded_key::{item_of_key, key_of_attempt};
pub use worker::Worker;
