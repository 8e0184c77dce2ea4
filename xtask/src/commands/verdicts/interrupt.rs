//! Ctrl-C: once ends the run with a report of what ran, twice ends everything.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::{Context as _, Result};
use judge::session::Session;

use crate::exit::Exit;

/// Watches for Ctrl-C and a request to terminate. At the first the returned flag is set and `session`'s subjects are
/// ended; at the second this process ends, whatever it is waiting for.
pub(super) fn watch(session: &Arc<Session>) -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let (flag, session) = (stop.clone(), session.clone());
    let handler = move || {
        if flag.swap(true, Ordering::SeqCst) {
            process::exit(Exit::Interrupted.code().into());
        }
        let session = session.clone();
        // On a thread of its own: subjects may take their time, and the next Ctrl-C is to be heard meanwhile.
        thread::spawn(move || session.interrupt());
    };
    ctrlc::set_handler(handler).context("cannot watch for Ctrl-C")?;
    Ok(stop)
}
