//! Every check must be able to fail: the same cases, asked of subjects that are broken in one known way each.
//!
//! `cases/faults.json` states which layer and finding each fault must be blamed with, before anything runs. A fault
//! is caught when the case fails, and blamed as stated when triage names that layer and finding. The healthy
//! subject must raise no alarm, however it is threaded, batched and reused. This room never knows how a fault is
//! made.

mod list;
mod plan;
mod report;
mod row;
mod run;
mod seeds;
mod variation;

pub use list::{Expectation, FaultEntry, FaultListError, FaultShowing, read_faults};
pub use plan::{FaultPlan, FaultPlanError, FaultSubjects, SkippedFault};
pub use report::{Exception, FaultReport, Healthy};
pub use row::Row;
pub(crate) use run::on_threads;
pub use run::{FaultSessions, run_faults};
pub(crate) use seeds::under_seeds;
pub use seeds::{Alarm, SeedReport, run_seeds};
pub use variation::Variation;
