//! A record as the result of a test trial.

use crate::verdict::Record;

/// `Ok` for what is no failure; else everything that a person needs to read, and the command that asks it again.
///
/// # Errors
/// With that text.
pub fn trial(record: &Record) -> Result<(), String> {
    if record.outcome.is_bad() { Err(super::failure::explain(record, None)) } else { Ok(()) }
}
