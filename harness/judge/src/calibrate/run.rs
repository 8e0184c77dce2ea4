//! Asking: sound subjects as the cases say and under other conditions, then the same under each numeric fault.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use wire::{Layer, Stimulus};

use super::{Distances, Effect, Row};
use crate::faults::{FaultEntry, on_threads, under_seeds};
use crate::finding::Code;
use crate::plan::{Item, Target};
use crate::session::Session;
use crate::subject::SubjectError;

/// What is asked.
pub struct CalibrationInput<'a> {
    /// Questions whose answers have numbers, see [`is_numeric`], sorted by subject.
    pub items: &'a [Item],
    /// Who asks them.
    pub session: &'a Session,
    /// How often sound subjects are asked under other conditions: threads, batches, used workers.
    pub seeds: usize,
    /// How many workers at once.
    pub jobs: usize,
    /// Every fault; those of the numbers are used.
    pub faults: &'a [FaultEntry],
    /// A subject under the fault of this name.
    pub faulty: &'a (dyn Fn(&Target, &str) -> Target + Sync),
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// [`Self::VERSION`].
    pub version: u32,
    /// One for each tolerance and model.
    pub rows: Vec<Row>,
    /// Seeds.
    pub seeds: usize,
    /// Wall time in seconds.
    pub seconds: f64,
}

impl Calibration {
    /// Version of the JSON form.
    pub const VERSION: u32 = 1;
}

/// Whether an answer to `item` has distributions that are compared with others.
pub fn is_numeric(item: &Item) -> bool {
    item.case.has_golden()
        && match &item.case.stimulus {
            Stimulus::Score(_) => true,
            Stimulus::Generate(spec) => spec.score,
            _ => false,
        }
}

/// Measures every tolerance on every model that it is used for.
///
/// # Errors
/// When a worker cannot be started.
pub fn calibrate(input: &CalibrationInput<'_>) -> Result<Vec<Row>, SubjectError> {
    let mut noise: BTreeMap<Key, (usize, Distances)> = BTreeMap::new();
    let mut add = |key: Key, distances: Distances| {
        let (answers, all) = noise.entry(key).or_default();
        *answers += 1;
        *all = all.or_larger(distances);
    };
    let plain = on_threads(input.items, input.jobs, |item| {
        Some((key(input.session, item), distances(input.session, item)?))
    });
    plain.into_iter().flatten().for_each(|(key, distances)| add(key, distances));
    for items in input.items.chunk_by(|a, b| a.target.name == b.target.name) {
        let seeded = under_seeds(items, input.session, input.seeds, input.jobs, |asked| {
            (key(input.session, asked.item), Distances::between(asked.observation, asked.reference))
        })?;
        seeded.into_iter().for_each(|(key, distances)| add(key, distances));
    }
    let mut groups: BTreeMap<Key, Vec<&Item>> = BTreeMap::new();
    for item in input.items {
        groups.entry(key(input.session, item)).or_default().push(item);
    }
    let groups: Vec<_> = groups.into_iter().collect();
    let mut rows = on_threads(&groups, input.jobs, |(key, items)| {
        let (answers, noise) = noise.get(key).copied().unwrap_or_default();
        row(input, items, answers, noise)
    });
    rows.sort_by(|a, b| (&a.tolerance.name, &a.model).cmp(&(&b.tolerance.name, &b.model)));
    Ok(rows)
}

/// A tolerance's name and a model's.
type Key = (String, String);

fn key(session: &Session, item: &Item) -> Key {
    (session.tolerance(item).name.clone(), item.model_name().to_owned())
}

fn row(input: &CalibrationInput<'_>, items: &[&Item], answers: usize, noise: Distances) -> Row {
    let first = items[0];
    let mut variants: Vec<String> =
        items.iter().filter_map(|item| item.case.variant()).map(str::to_owned).collect();
    variants.sort();
    variants.dedup();
    let numeric = input.faults.iter().filter_map(|entry| Some((entry, numeric(entry)?)));
    let faults = numeric.filter_map(|(entry, finding)| {
        let target = Arc::new((input.faulty)(&first.target, &entry.fault));
        let item = Item { target, reference: first.reference.clone(), ..first.clone() };
        let distances = distances(input.session, &item)?;
        let touched = input.session.answers(&item).last()?.1.observation.fault_effect;
        touched.is_some_and(|effect| effect.nmse > 0.0 && effect.not_finite == 0).then_some(())?;
        Some(Effect { fault: entry.fault.clone(), finding, distances })
    });
    Row {
        tolerance: input.session.tolerance(first).clone(),
        model: first.model_name().to_owned(),
        variants,
        answers,
        noise,
        faults: faults.collect(),
    }
}

/// The finding of a fault that changes the numbers of a prompt.
fn numeric(entry: &FaultEntry) -> Option<Code> {
    let finding =
        entry.finding.filter(|code| matches!(code, Code::LogitsDiffer | Code::EogProbabilityDiffers));
    finding.filter(|_| entry.layer == Some(Layer::Prefill) && !entry.hangs)
}

/// How far the answer to `item` is from what it is compared with; `None` where there is nothing to compare.
fn distances(session: &Session, item: &Item) -> Option<Distances> {
    session.verdict(item);
    let (_, answer) = session.answers(item).pop()?;
    let reference = session.reference(item)?;
    let distances = Distances::between(&answer.observation, &reference);
    (distances.positions > 0).then_some(distances)
}
