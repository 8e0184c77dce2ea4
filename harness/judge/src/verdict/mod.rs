//! What the harness says of one item.

mod outcome;
mod record;

pub use outcome::{Outcome, Totals};
pub use record::Record;
