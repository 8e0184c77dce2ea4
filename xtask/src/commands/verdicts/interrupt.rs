//! Ctrl-C: once ends the run with a report of what ran, twice ends everything.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::thread;

use anyhow::{Result, anyhow};
use judge::session::Session;

use crate::exit::Exit;

/// The run that a Ctrl-C is for: the latest, since one command may run several, one after the other.
static CURRENT: Mutex<Option<Watched>> = Mutex::new(None);

/// The handler is the process's own and is set once.
static HANDLER: OnceLock<Result<(), String>> = OnceLock::new();

struct Watched {
    stop: Arc<AtomicBool>,
    /// Not kept alive: a session ends its subjects when its run lets go of it.
    session: Weak<Session>,
}

/// Watches for Ctrl-C and a request to terminate. At the first the returned flag is set and `session`'s subjects are
/// ended; at the second this process ends, whatever it is waiting for.
pub(super) fn watch(session: &Arc<Session>) -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    *CURRENT.lock().unwrap_or_else(PoisonError::into_inner) =
        Some(Watched { stop: stop.clone(), session: Arc::downgrade(session) });
    let set = || ctrlc::set_handler(interrupted).map_err(|error| error.to_string());
    HANDLER.get_or_init(set).clone().map_err(|error| anyhow!("cannot watch for Ctrl-C: {error}"))?;
    Ok(stop)
}

fn interrupted() {
    let current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
    let session = current.as_ref().and_then(|watched| watched.session.upgrade());
    let again = current.as_ref().is_none_or(|watched| watched.stop.swap(true, Ordering::SeqCst));
    match session {
        // On a thread of its own: subjects may take their time, and the next Ctrl-C is to be heard meanwhile.
        Some(session) if !again => drop(thread::spawn(move || session.interrupt())),
        _ => process::exit(Exit::Interrupted.code().into()),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use judge::session::SessionOptions;
    use judge::setup::{Folders, Suite};

    use super::*;

    #[test]
    fn one_process_can_watch_one_run_after_the_other() {
        let folders = Folders::of_workspace(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
        let suite = Suite::read(&folders).unwrap();
        for _ in 0..2 {
            let session = Arc::new(suite.session(&folders, SessionOptions::default(), false));
            assert!(!watch(&session).unwrap().load(Ordering::SeqCst));
        }
    }
}
