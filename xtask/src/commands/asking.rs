//! What has to be typed to ask a case.

use judge::models::{Model, ModelKind, Registry};
use judge::setup::Folders;

/// The model that has to be named with `--model` before a case of these `selectors` is asked; `None` where a run asks one
/// of its own accord: a fixture, or none at all.
pub(super) fn model_to_name(selectors: &[String], registry: &Registry, folders: &Folders) -> Option<String> {
    let fits = |model: &&Model| selectors.iter().any(|selector| model.matches(selector));
    let all = registry.all(&folders.places());
    let fitting: Vec<&Model> = all.iter().filter(fits).collect();
    let is_asked = |model: &&Model| {
        registry.get(&model.name).is_some_and(|entry| entry.kind == ModelKind::Fixture && !entry.on_demand)
    };
    if fitting.iter().any(is_asked) { None } else { fitting.first().map(|model| model.name.clone()) }
}
