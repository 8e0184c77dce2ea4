//! What was seen beside what was expected, cut down to what a person looks at.
//!
//! Pure: from an observation and what it was compared with. It never judges, and nothing is judged by it.

mod make;
mod memory;
mod numbers;
mod shown;

pub use make::{Detail, evidence};
pub use memory::{Amount, MemoryEvidence};
pub(crate) use numbers::positions;
pub use shown::{Evidence, Expectation, PositionEvidence, TurnEvidence};
