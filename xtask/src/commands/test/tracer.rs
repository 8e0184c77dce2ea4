//! `cargo xtask test --trace`: what wrong numbers are traced to, in the report of the run itself.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use judge::plan::Item;
use judge::session::Tracer;
use judge::trace::Traced;
use wire::Capability;

use crate::commands::trace::compared;

/// Traces of one subject. What is wrong with one operator shows in many items, and a trace takes seconds.
const MOST: usize = 3;

/// Looking at every node takes its time.
const SLOWER: u32 = 5;

/// Traces the first items of each subject against the reference that is in the run; an answer may take `deadline`,
/// several times over.
pub(super) fn tracer(deadline: Duration) -> Tracer {
    let counts: Mutex<HashMap<String, usize>> = Mutex::default();
    let may = move |item: &Item| {
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(item.target.name.clone()).or_default();
        *count += 1;
        *count <= MOST
    };
    Box::new(move |item, tolerance| {
        // A variant may be compared with the subject's own answer, whose graph is another.
        let reference = item.reference.as_deref().filter(|reference| reference.name != item.target.name)?;
        let can = |capabilities: &[Capability]| capabilities.contains(&Capability::Trace);
        if !can(&item.target.card.capabilities) || !can(&reference.card.capabilities) || !may(item) {
            return None;
        }
        let fault = item.target.card.fault.as_deref();
        match compared(item, reference, tolerance, fault, deadline * SLOWER) {
            Ok(report) => Some(Traced::from(&report)),
            Err(error) => {
                eprintln!("{item} could not be traced: {error}");
                None
            }
        }
    })
}
