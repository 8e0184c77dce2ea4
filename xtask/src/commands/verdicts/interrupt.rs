//! Ctrl-C: once ends the run with a report of what ran, twice ends everything.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result};
use judge::session::Session;

use crate::exit::Exit;

/// Watches for Ctrl-C and a request to terminate. The returned flag is set at the first; `session`'s subjects have
/// been told to end by then.
pub(super) fn watch(session: &Arc<Session>) -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let (flag, session) = (stop.clone(), session.clone());
    let handler = move || {
        let again = flag.swap(true, Ordering::SeqCst);
        session.interrupt();
        if again {
            std::process::exit(Exit::Interrupted.code().into());
        }
    };
    ctrlc::set_handler(handler).context("cannot watch for Ctrl-C")?;
    Ok(stop)
}
