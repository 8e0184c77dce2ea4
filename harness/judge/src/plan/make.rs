//! Making a plan.

use std::sync::Arc;

use wire::{Capability, EngineKind, Generate, Prompt, Score, Stimulus, TemplateEngine};

use super::shown::not_shown;
use super::{Filter, Item, Partition, Target};
use crate::case::Case;
use crate::models::Model;

/// What is asked, in order, and what is not, with reasons.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Items to ask. Those that others refer to come first; neighbours share a worker where they can.
    pub items: Vec<Item>,
    /// Items that are left out.
    pub skipped: Vec<Skipped>,
    /// Whether nothing was filtered out.
    pub complete: bool,
    /// Which part it is, where it is one of several.
    pub partition: Option<Partition>,
}

/// An item that is not asked.
#[derive(Clone, Debug)]
pub struct Skipped {
    /// The item.
    pub item: Item,
    /// Why.
    pub reason: String,
}

impl Plan {
    /// Leaves out, and counts nowhere, every item that `keep` does not hold of. What is left is no complete plan.
    pub fn retain(&mut self, keep: impl Fn(&Item) -> bool) {
        self.items.retain(|item| keep(item));
        self.skipped.retain(|skipped| keep(&skipped.item));
        self.complete = false;
    }

    /// Keeps one of several parts. What is left is no complete plan: another machine has the rest.
    pub fn keep(&mut self, partition: Partition) {
        self.retain(|item| partition.holds(item));
        self.partition = Some(partition);
    }

    /// Skips, for `reason`, every item that `keep` does not hold of.
    pub fn skip_unless(&mut self, keep: impl Fn(&Item) -> bool, reason: &str) {
        let (kept, left_out) = std::mem::take(&mut self.items).into_iter().partition(|item| keep(item));
        self.items = kept;
        let skipped = |item| Skipped { item, reason: reason.to_owned() };
        self.skipped.extend(Vec::into_iter(left_out).map(skipped));
    }
}

/// The subjects that others are compared with, the best first.
const REFERENCES: [&str; 2] = ["cpu-baseline", "cpu"];

/// What a plan is made from.
#[derive(Clone, Copy, Debug)]
pub struct PlanInput<'a> {
    /// All cases.
    pub cases: &'a [Arc<Case>],
    /// The models that cases may select.
    pub models: &'a [Arc<Model>],
    /// Models that are not asked on their own account: adapters, and models whose answers variants must give.
    pub companions: &'a [Arc<Model>],
    /// Whether cases that need no model are asked too: not where somebody asks about a model of theirs.
    pub without_model: bool,
    /// The subjects.
    pub targets: &'a [Arc<Target>],
    /// Which cases.
    pub filter: &'a Filter,
}

/// Plans every case on every target, with every model that it selects.
pub fn make_plan(input: &PlanInput<'_>) -> Plan {
    let PlanInput { cases, models, companions, without_model, targets, filter } = *input;
    let named = |name: Option<&str>| {
        models.iter().chain(companions).find(|model| Some(model.name.as_str()) == name).cloned()
    };
    let reference = REFERENCES.iter().find_map(|name| targets.iter().find(|target| target.name == *name));
    let mut plan = Plan { complete: filter.is_all(), ..Plan::default() };
    for target in targets {
        let other = reference.filter(|reference| reference.name != target.name);
        for case in cases.iter().filter(|case| filter.lets_through(&case.id)) {
            let reference = if case.variant_of.is_some() { other.or(Some(target)) } else { other };
            let reference = reference.filter(|_| case.has_reference());
            for model in selected(case, models, without_model) {
                let item = Item {
                    case: case.clone(),
                    model,
                    adapter: named(case.adapter.as_deref()),
                    target: target.clone(),
                    reference: reference.cloned(),
                    base_model: named(case.base_model()),
                };
                match reason_to_skip(&item) {
                    Some(reason) => plan.skipped.push(Skipped { item, reason }),
                    None => plan.items.push(item),
                }
            }
        }
    }
    plan.items.sort_by(|a, b| order(a).cmp(&order(b)));
    plan
}

/// Whether any case can be asked, of whatever subject.
pub fn asks_anything(input: &PlanInput<'_>) -> bool {
    let asked = |case: &&Arc<Case>| !selected(case, input.models, input.without_model).is_empty();
    input.cases.iter().filter(|case| input.filter.lets_through(&case.id)).any(|case| asked(&case))
}

fn order(item: &Item) -> (bool, &str, &str, &wire::Config, &wire::Limits, &str) {
    let case = &item.case;
    (item.reference.is_some(), &item.target.name, item.model_name(), &case.config, &case.limits, &case.id)
}

/// The models that `case` means; one `None` where it needs none.
fn selected(case: &Case, models: &[Arc<Model>], without_model: bool) -> Vec<Option<Arc<Model>>> {
    if case.models.is_empty() {
        return if without_model { vec![None] } else { Vec::new() };
    }
    let means = |model: &&Arc<Model>| case.models.iter().any(|selector| model.matches(selector));
    models.iter().filter(means).cloned().map(Some).collect()
}

fn reason_to_skip(item: &Item) -> Option<String> {
    let case = &item.case;
    if let Some(reason) = item.model.as_ref().and_then(|model| model.cannot.as_ref()) {
        return Some(reason.clone());
    }
    let adapter = case.adapter.as_deref().filter(|_| item.adapter.is_none());
    if let Some(absent) = adapter.or(case.base_model().filter(|_| item.base_model.is_none())) {
        return Some(format!("there is no model \"{absent}\" in cases/models.json, which this case needs"));
    }
    if lacks_engine(item) {
        return Some(format!("{} was built without the engine over llama-cpp-2", item.target.name));
    }
    if wants_jinja(&case.stimulus) && !item.target.card.template_engines.contains(&TemplateEngine::Jinja) {
        return Some(format!("{} was built without llama.cpp's own Jinja engine", item.target.name));
    }
    let missing = needed(case).into_iter().find(|needed| !item.target.card.capabilities.contains(needed));
    match missing {
        Some(missing) => Some(format!("{} has no capability \"{}\"", item.target.name, missing.name())),
        None => not_shown(case, &item.target.card).map(|what| format!("{} {what}", item.target.name)),
    }
}

/// What a subject must be able to do to be asked `case`.
pub fn needed(case: &Case) -> Vec<Capability> {
    let limit = case.limits.address_space.map(|_| Capability::AddressSpaceLimit);
    [stimulus_capability(&case.stimulus)].into_iter().chain(case.needs.iter().copied()).chain(limit).collect()
}

/// Every probe has the raw engine; the safe one is left out where llama-cpp-2 would meet another llama.cpp than its own.
fn lacks_engine(item: &Item) -> bool {
    item.case.config.engine == EngineKind::Safe && !item.target.card.engines.contains(&EngineKind::Safe)
}

/// Whether a stimulus names llama.cpp's own Jinja engine, which is C++ and not in every probe.
fn wants_jinja(stimulus: &Stimulus) -> bool {
    let chat = match stimulus {
        Stimulus::Render(chat) => chat,
        Stimulus::Converse(converse) => &converse.chat,
        Stimulus::Generate(Generate { prompt: Prompt::Chat(chat), .. })
        | Stimulus::Score(Score { prompt: Prompt::Chat(chat), .. }) => chat,
        _ => return false,
    };
    chat.engine == TemplateEngine::Jinja
}

fn stimulus_capability(stimulus: &Stimulus) -> Capability {
    match stimulus {
        Stimulus::Render(_) => Capability::Render,
        Stimulus::Tokenize(_) => Capability::Tokenize,
        Stimulus::Generate(_) => Capability::Generate,
        Stimulus::Converse(_) => Capability::Converse,
        Stimulus::Score(_) => Capability::Score,
        Stimulus::Load(_) => Capability::Load,
        Stimulus::Inspect {} => Capability::Inspect,
        Stimulus::Stream(_) => Capability::Stream,
    }
}
