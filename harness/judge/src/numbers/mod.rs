//! Distances between two distributions, from their summaries. Pure arithmetic.

mod distance;
mod tolerance;

pub use distance::{Distance, eog_shift, kl_lower_bound, nmse, top_margin};
pub use tolerance::{Tolerance, ToleranceError, Tolerances};
