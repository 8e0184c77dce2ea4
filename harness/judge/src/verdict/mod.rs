//! What the harness says of one item.

mod outcome;
mod placement;
mod record;

pub use outcome::{Outcome, Totals};
pub use placement::Placement;
pub use record::Record;
