//! Which items show which fault.

use std::sync::Arc;

use super::{FaultEntry, FaultShowing};
use crate::plan::{Item, Target};
use crate::setup::{Folders, SetupError, Suite};

/// The healthy subject, and how it is broken.
pub struct FaultSubjects<'a> {
    /// The healthy one.
    pub healthy: Target,
    /// The same one under the fault of this name.
    pub faulty: &'a dyn Fn(&str) -> Target,
}

/// What will be asked.
#[derive(Clone, Debug, Default)]
pub struct FaultPlan {
    /// Faults in the order in which they are asked: those that take longest first.
    pub faults: Vec<PlannedFault>,
    /// Faults that this subject cannot show.
    pub skipped: Vec<SkippedFault>,
    /// The same questions for the healthy subject, each once.
    pub healthy: Vec<Item>,
}

/// One fault and its questions.
#[derive(Clone, Debug)]
pub struct PlannedFault {
    /// What is stated of it.
    pub entry: FaultEntry,
    /// Asked first.
    pub(super) before: Vec<Item>,
    /// What must show it.
    pub(super) items: Vec<Item>,
}

/// A fault that is not shown.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SkippedFault {
    /// Its name.
    pub fault: String,
    /// Why.
    pub reason: String,
}

/// Why faults cannot be planned.
#[derive(Debug, thiserror::Error)]
pub enum FaultPlanError {
    /// The suite has no such case or model.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A showing means nothing.
    #[error(
        "cases/faults.json: {fault} is to be shown on {case} with {}, and no case fits; \
         `cargo xtask test --list` shows all items",
        model.as_deref().unwrap_or("no model")
    )]
    ShowsNothing {
        /// The fault.
        fault: String,
        /// The glob.
        case: String,
        /// The model.
        model: Option<String>,
    },
}

impl FaultPlan {
    /// Plans `entries` on `subjects`.
    ///
    /// # Errors
    /// When an entry names a case or model that there is not.
    pub fn new(
        entries: &[FaultEntry],
        suite: &Suite,
        folders: &Folders,
        subjects: &FaultSubjects<'_>,
    ) -> Result<Self, FaultPlanError> {
        let healthy = Arc::new(subjects.healthy.clone());
        let mut plan = Self::default();
        for entry in entries {
            let missing = entry.needs.iter().find(|needed| !healthy.card.capabilities.contains(needed));
            if let Some(missing) = missing {
                let reason = format!("{} has no capability \"{}\"", healthy.name, missing.name());
                plan.skipped.push(SkippedFault { fault: entry.fault.clone(), reason });
                continue;
            }
            let name = format!("{} + {}", healthy.name, entry.fault);
            let faulty = Arc::new(Target { name, ..(subjects.faulty)(&entry.fault) });
            let items = |showings: &[FaultShowing], target: &Arc<Target>| {
                showings
                    .iter()
                    .map(|showing| items(&entry.fault, showing, suite, folders, target))
                    .collect::<Result<Vec<_>, _>>()
                    .map(|items| items.concat())
            };
            plan.add_healthy(items(&entry.shown_on, &healthy)?);
            let compared = |item| Item { reference: reference(&item, entry, &healthy), ..item };
            let (before, shown) = (items(&entry.before, &faulty)?, items(&entry.shown_on, &faulty)?);
            plan.faults.push(PlannedFault {
                entry: entry.clone(),
                before,
                items: shown.into_iter().map(compared).collect(),
            });
        }
        plan.faults.sort_by_key(|planned| !planned.entry.hangs);
        Ok(plan)
    }

    fn add_healthy(&mut self, items: Vec<Item>) {
        for item in items {
            if !self.healthy.iter().any(|other| other.to_string() == item.to_string()) {
                self.healthy.push(item);
            }
        }
    }
}

/// A subject that never answers is compared with nothing: the healthy one would be asked with its deadline.
fn reference(item: &Item, entry: &FaultEntry, healthy: &Arc<Target>) -> Option<Arc<Target>> {
    (item.case.has_golden() && !entry.hangs).then(|| healthy.clone())
}

fn items(
    fault: &str,
    showing: &FaultShowing,
    suite: &Suite,
    folders: &Folders,
    target: &Arc<Target>,
) -> Result<Vec<Item>, FaultPlanError> {
    let models: Vec<String> = showing.model.iter().cloned().collect();
    let plan =
        suite.plan(folders, &models, std::slice::from_ref(target), std::slice::from_ref(&showing.case))?;
    if plan.items.is_empty() {
        let (case, model) = (showing.case.clone(), showing.model.clone());
        return Err(FaultPlanError::ShowsNothing { fault: fault.to_owned(), case, model });
    }
    Ok(plan.items)
}
