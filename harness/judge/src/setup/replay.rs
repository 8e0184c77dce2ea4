//! A recording, planned with the cases of today.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Folders, SetupError, Suite};
use crate::golden::GoldenStore;
use crate::models::{Model, Places};
use crate::plan::{Filter, Item, Plan, Target};
use crate::session::Session;
use crate::subject::{Recorded, Recording, item_of_key};

/// A recording that can be judged.
pub struct Replayed {
    /// What the cases of today would ask of the recorded subjects and models. What was not recorded is skipped.
    pub plan: Plan,
    /// Items that were recorded and that no case asks any more.
    pub unknown: Vec<String>,
    /// A session whose answers are the recorded ones.
    pub session: Session,
}

impl Suite {
    /// Plans the cases that `filters` let through on what `recording` holds. With `stage`, the maker's new goldens
    /// are staged for review.
    ///
    /// # Errors
    /// When a file of the recording is not as it was recorded, or a filter is no glob.
    pub fn replay(
        &self,
        folders: &Folders,
        recording: &Recording,
        filters: &[String],
        stage: bool,
    ) -> Result<Replayed, SetupError> {
        let recorded = recording.items()?;
        let run = recording.run();
        let places = folders.places();
        let models: Vec<_> = run.models.iter().map(|model| Arc::new(self.today(model, &places))).collect();
        let targets: Vec<_> = run
            .subjects
            .iter()
            .map(|(name, card)| Arc::new(Target::recorded(name.clone(), card.clone())))
            .collect();
        let names: HashSet<&str> = recorded.iter().map(|one| item_of_key(&one.key)).collect();
        let plan = |filters| self.plan_with(folders, &models, run.without_model, &targets, filters);
        let unknown = unknown(&plan(&[])?, &names);
        let mut plan = plan(filters)?;
        plan.complete &= run.complete;
        // What was not to be asked is no gap of the recording.
        let asked = Filter::new(&run.filters)?;
        if !asked.is_all() {
            plan.retain(|item| asked.lets_through(&item.case.id));
        }
        run.partition.into_iter().for_each(|partition| plan.keep(partition));
        plan.skip_unless(|item| names.contains(item.to_string().as_str()), "it was not recorded");
        Ok(Replayed { plan, unknown, session: self.replay_session(folders, recorded, stage) })
    }

    /// A listed model as models.json describes it now; any other as it was recorded.
    fn today(&self, model: &Model, places: &Places) -> Model {
        let entry = self.registry.get(&model.name).filter(|_| model.listed);
        entry.map_or_else(|| model.clone(), |entry| entry.model(places))
    }

    /// A session whose answers are the `recorded` ones; with `stage`, the maker's new goldens are staged for review.
    pub fn replay_session(&self, folders: &Folders, recorded: Vec<Recorded>, stage: bool) -> Session {
        let goldens = GoldenStore::new(folders.golden(), stage);
        Session::replay(goldens, self.tolerances.clone(), self.known.clone(), recorded)
    }
}

/// The `recorded` names that are not those of an item of `everything`.
fn unknown(everything: &Plan, recorded: &HashSet<&str>) -> Vec<String> {
    let skipped = everything.skipped.iter().map(|skipped| &skipped.item);
    let planned: HashSet<String> = everything.items.iter().chain(skipped).map(Item::to_string).collect();
    let mut unknown: Vec<String> =
        recorded.iter().filter(|name| !planned.contains(**name)).map(|name| (*name).to_owned()).collect();
    unknown.sort();
    unknown
}
