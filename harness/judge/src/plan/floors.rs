//! How many items at least must run on a subject: skips must not eat the coverage unseen.

use std::collections::BTreeMap;
use std::path::Path;

use super::Plan;
use crate::input::{self, InputError};

/// Least numbers of items by subject, from cases/floors.json. They hold for complete plans only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Floors(BTreeMap<String, usize>);

impl Floors {
    /// Reads `path`; where there is no such file, there is no floor.
    ///
    /// # Errors
    /// When it cannot be read or does not parse.
    pub fn read(path: &Path) -> Result<Self, InputError> {
        if path.exists() { input::json(path).map(Self) } else { Ok(Self::default()) }
    }

    /// Floors made by hand.
    pub fn new(floors: impl IntoIterator<Item = (String, usize)>) -> Self {
        Self(floors.into_iter().collect())
    }

    /// The subjects of `plan` on which fewer items would run than must, in words; none for an incomplete plan.
    pub fn missed(&self, plan: &Plan) -> Vec<String> {
        if !plan.complete {
            return Vec::new();
        }
        let subjects = plan.items.iter().chain(plan.skipped.iter().map(|skipped| &skipped.item));
        let mut counts: BTreeMap<&str, usize> = subjects.map(|item| (item.target.name.as_str(), 0)).collect();
        for item in &plan.items {
            *counts.entry(&item.target.name).or_default() += 1;
        }
        let below = counts.iter().filter_map(|(subject, count)| {
            let floor = *self.0.get(*subject)?;
            (*count < floor).then(|| {
                format!(
                    "only {count} items would run on {subject}, and {floor} must; see what is skipped, or change \
                     cases/floors.json"
                )
            })
        });
        below.collect()
    }
}
