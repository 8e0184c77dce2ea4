//! Cases, models, tolerances, known failures: everything that a run is made of.

use std::sync::Arc;

use super::Folders;
use crate::case::{Case, CaseError, load_cases};
use crate::closest::did_you_mean;
use crate::golden::GoldenStore;
use crate::input::InputError;
use crate::known::{KnownError, KnownFailures};
use crate::models::{Model, ModelError, Registry};
use crate::numbers::{ToleranceError, Tolerances};
use crate::plan::{Filter, FilterError, Floors, Plan, PlanInput, Target, asks_anything, make_plan};
use crate::session::{Session, SessionOptions};
use crate::subject::RecordingError;

/// A suite, read and checked.
#[derive(Clone, Debug)]
pub struct Suite {
    /// All cases, sorted by id.
    pub cases: Vec<Arc<Case>>,
    /// All models that cases may name.
    pub registry: Registry,
    /// How many items must run on each subject.
    pub floors: Floors,
    pub(super) tolerances: Tolerances,
    pub(super) known: KnownFailures,
}

/// Why a suite cannot be read or planned.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// A case file.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// A model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// tolerances.json.
    #[error(transparent)]
    Tolerance(#[from] ToleranceError),
    /// A known failure.
    #[error(transparent)]
    Known(#[from] KnownError),
    /// floors.json.
    #[error(transparent)]
    Floor(#[from] InputError),
    /// A filter.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// A recording.
    #[error(transparent)]
    Recording(#[from] RecordingError),
}

impl Suite {
    /// Reads everything in the cases folder.
    ///
    /// # Errors
    /// At the first file that cannot be read or makes no sense.
    pub fn read(folders: &Folders) -> Result<Self, SetupError> {
        let folder = folders.cases();
        let registry = Registry::read(&folder.join("models.json"))?;
        let cases = load_cases(&folder)?;
        let models = registry.all(&folders.places());
        cases.iter().try_for_each(|case| selectors_mean_something(case, &models, &registry))?;
        Ok(Self {
            cases: cases.into_iter().map(Arc::new).collect(),
            registry,
            floors: Floors::read(&folder.join("floors.json"))?,
            tolerances: Tolerances::read(&folder.join("tolerances.json"))?,
            known: KnownFailures::read(&folder.join("known"))?,
        })
    }

    /// The models to ask: those called `names` (names of models.json or paths), else all fixtures.
    ///
    /// # Errors
    /// When there is no such model.
    pub fn models(&self, folders: &Folders, names: &[String]) -> Result<Vec<Arc<Model>>, SetupError> {
        let places = folders.places();
        let models = if names.is_empty() {
            self.registry.fixtures(&places)
        } else {
            names.iter().map(|name| self.registry.resolve(name, &places)).collect::<Result<_, _>>()?
        };
        apart(&models)?;
        Ok(models.into_iter().map(Arc::new).collect())
    }

    /// Plans the cases that `filters` let through, on `targets`, with the models called `names` or the fixtures.
    /// The plan is complete only where nothing is left out.
    ///
    /// # Errors
    /// When a filter is no glob, or there is no such model.
    pub fn plan(
        &self,
        folders: &Folders,
        names: &[String],
        targets: &[Arc<Target>],
        filters: &[String],
    ) -> Result<Plan, SetupError> {
        let models = self.models(folders, names)?;
        let mut plan = self.plan_with(folders, &models, names.is_empty(), targets, filters)?;
        plan.complete &= names.is_empty();
        Ok(plan)
    }

    /// As [`Self::plan`], with these `models`; `without_model` says whether cases that need none are asked too.
    pub(super) fn plan_with(
        &self,
        folders: &Folders,
        models: &[Arc<Model>],
        without_model: bool,
        targets: &[Arc<Target>],
        filters: &[String],
    ) -> Result<Plan, SetupError> {
        let filter = &Filter::new(filters)?;
        let companions = &self.companions(folders, models);
        Ok(make_plan(&PlanInput { cases: &self.cases, models, companions, without_model, targets, filter }))
    }

    /// What the cases of `models` need besides: adapters, and the models whose answers variants must give.
    pub fn companions(&self, folders: &Folders, models: &[Arc<Model>]) -> Vec<Arc<Model>> {
        let places = folders.places();
        let asked = |case: &&Arc<Case>| {
            models.iter().any(|model| case.models.iter().any(|selector| model.matches(selector)))
        };
        let mut names: Vec<&str> =
            self.cases.iter().filter(asked).flat_map(|case| case.companions()).collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| !models.iter().any(|model| model.name == *name));
        let entries = names.into_iter().filter_map(|name| self.registry.get(name));
        entries.map(|entry| Arc::new(entry.model(&places))).collect()
    }

    /// Whether `filters` let through any case that can be asked with the models called `names` or the fixtures.
    ///
    /// # Errors
    /// When a filter is no glob, or there is no such model.
    pub fn asks_anything(
        &self,
        folders: &Folders,
        names: &[String],
        filters: &[String],
    ) -> Result<bool, SetupError> {
        let (models, filter) = (&self.models(folders, names)?, &Filter::new(filters)?);
        let (without_model, targets, companions) = (names.is_empty(), &[], &[]);
        let cases = &self.cases;
        Ok(asks_anything(&PlanInput { cases, models, companions, without_model, targets, filter }))
    }

    /// A session; with `stage`, the maker's new goldens are staged for review.
    pub fn session(&self, folders: &Folders, options: SessionOptions, stage: bool) -> Session {
        let goldens = GoldenStore::new(folders.golden(), stage);
        Session::new(goldens, self.tolerances.clone(), self.known.clone(), options)
    }
}

/// Everything is told apart by the model's name.
fn apart(models: &[Model]) -> Result<(), ModelError> {
    for (index, model) in models.iter().enumerate() {
        if let Some(other) = models[..index].iter().find(|other| other.name == model.name) {
            return Err(ModelError::SameName {
                name: model.name.clone(),
                one: other.path.clone(),
                other: model.path.clone(),
            });
        }
    }
    Ok(())
}

/// A selector that means no model of this checkout would take its case out of every run, unseen.
fn selectors_mean_something(case: &Case, models: &[Model], registry: &Registry) -> Result<(), CaseError> {
    let means_none = |selector: &&String| !models.iter().any(|model| model.matches(selector));
    let Some(selector) = case.models.iter().chain(&case.adapter).find(means_none) else { return Ok(()) };
    let guess = did_you_mean(selector, registry.entries().iter().map(|entry| entry.name.as_str()));
    Err(case.invalid("models", format!("\"{selector}\" fits no model of cases/models.json{guess}")))
}
