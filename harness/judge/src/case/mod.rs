//! Case files: one question each, with the checks that judge its answer.
//!
//! This room reads and validates them. It never runs, compares or decides.

mod check;
mod error;
mod file;
mod folder;
mod lines;
mod schema;
mod variant;

pub use check::{
    Check, CountCheck, MemoryCheck, OverflowCheck, StopCheck, TextCheck, TokensCheck, TurnsCheck, VocabCheck,
    WordCheck,
};
pub use error::CaseError;
pub use file::Case;
pub use folder::load_cases;
pub use schema::schema;
pub use variant::{Variant, VariantOf};
