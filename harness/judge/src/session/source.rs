//! Where a session's answers come from.

use super::answer::{Answer, NoAnswer};
use crate::plan::Item;

/// A place that answers items: running subjects, or a recording of what they once said.
pub(super) trait Source: Send + Sync {
    /// The answer to `item` when it is asked for the `attempt`-th time, counted from 1. `forced` are the tokens that
    /// the answer has to follow.
    fn answer(&self, item: &Item, attempt: usize, forced: Option<Vec<i32>>) -> Result<Answer, NoAnswer>;

    /// How often `item` can be asked, at least once.
    fn attempts(&self, item: &Item) -> usize;

    /// Ends all subjects; items in flight end as broken.
    fn interrupt(&self);
}
