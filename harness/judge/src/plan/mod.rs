//! Which case is asked of which model on which subject, and in which order.
//!
//! The only room that skips. A plan is a pure function of cases, models, subjects and filters.

mod filter;
mod floors;
mod item;
mod make;
mod origin;
mod partition;
mod shown;

pub use filter::{Filter, FilterError};
pub use floors::Floors;
pub use item::{Item, Target};
pub use make::{Plan, PlanInput, Skipped, asks_anything, make_plan, needed};
pub use origin::Origin;
pub use partition::{Partition, PartitionError};
pub use shown::not_shown;
