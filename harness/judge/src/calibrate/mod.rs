//! How far sound subjects are apart, how far broken ones, and where each tolerance lies between.
//!
//! It asks and measures, for a person who sets `cases/tolerances.json`. It must never change that file, and no verdict
//! depends on it.

mod distances;
mod metric;
mod row;
mod run;

pub use distances::Distances;
pub use metric::Metric;
pub use row::{Effect, Gap, Row};
pub use run::{Calibration, CalibrationInput, calibrate, is_numeric};
