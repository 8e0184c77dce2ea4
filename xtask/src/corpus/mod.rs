//! Real chat templates and vocabularies: fetched, read, and asked.
//!
//! They are other people's work and stay in target/; what is committed is what came of asking them.

mod fetch;
mod files;
mod templates;
mod vocabularies;

pub(crate) use fetch::{fetch, folder};
pub(crate) use files::{Corpus, Vocabulary};
pub(crate) use templates::{Asked, tables};
pub(crate) use vocabularies::{Ends, Soundness, look};
