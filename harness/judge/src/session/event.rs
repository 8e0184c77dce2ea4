//! What happens during a run, as every report hears it.

use wire::Card;

use super::{Answer, Summary};
use crate::case::Case;
use crate::plan::{Item, Partition};
use crate::verdict::Record;

/// One thing that happened.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The plan is made: how many items will be asked, of whom, with how many threads.
    Planned {
        /// Items to ask.
        items: usize,
        /// Name and card of every subject.
        subjects: &'a [(String, Card)],
        /// Threads that ask.
        jobs: usize,
        /// The cases, each once.
        cases: &'a [&'a Case],
        /// Which part of the plan this is, where it is one of several.
        partition: Option<Partition>,
    },
    /// An item, or the reference of one, was answered; told before [`Event::Ended`].
    Answered {
        /// The item.
        item: &'a Item,
        /// How often it had been asked then, itself included.
        attempt: usize,
        /// The answer.
        answer: &'a Answer,
    },
    /// An item ended, or was skipped.
    Ended(&'a Record),
    /// The run is over.
    Finished(&'a Summary),
}

/// Something that listens to a run.
pub trait Listener {
    /// Hears `event`.
    ///
    /// # Errors
    /// When it cannot write its report.
    fn hear(&mut self, event: Event<'_>) -> std::io::Result<()>;
}
