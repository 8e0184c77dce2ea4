//! Real templates with conversations of every kind: which there are, what the engines made of them, and where they are
//! known to differ from the reference.

mod conversations;
mod known;
mod page;
mod table;

pub use conversations::{Named, conversations};
pub use known::{Known, KnownError, known};
pub use page::page;
pub use table::{Cell, EngineTable, Judged};
