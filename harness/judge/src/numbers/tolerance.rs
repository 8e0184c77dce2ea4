//! How far two subjects may be apart: data, in cases/tolerances.json, each with a reason.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The largest distance that is no finding. Every bound has its reason in `why`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tolerance {
    /// What it is called, and for whom: the name of a backend, or `default`.
    pub name: String,
    /// NMSE of the logits at one position.
    pub nmse: f64,
    /// KL divergence at one position in nats.
    pub kl: f64,
    /// Change of an end-of-generation token's log-probability in nats.
    pub eog: f64,
    /// Logit margin between the two most likely tokens below which either may be chosen.
    pub near_tie: f32,
    /// Where the numbers come from.
    pub why: String,
}

/// All tolerances.
#[derive(Clone, Debug, PartialEq)]
pub struct Tolerances(Vec<Tolerance>);

/// Why tolerances.json cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ToleranceError {
    /// It cannot be read.
    #[error("{}: cannot read it: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// It does not parse.
    #[error("{}:{}: {source}", path.display(), source.line())]
    Parse {
        /// The file.
        path: PathBuf,
        /// What the parser says.
        source: serde_json::Error,
    },
    /// It parses and breaks a rule.
    #[error("{}: {problem}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Which rule.
        problem: &'static str,
    },
}

impl Tolerances {
    /// Reads `path`.
    ///
    /// # Errors
    /// When it cannot be read, does not parse, is not sorted by name, lacks `default`, or a reason is missing.
    pub fn read(path: &Path) -> Result<Self, ToleranceError> {
        let source = std::fs::read_to_string(path)
            .map_err(|source| ToleranceError::Read { path: path.to_owned(), source })?;
        let list: Vec<Tolerance> = serde_json::from_str(&source)
            .map_err(|source| ToleranceError::Parse { path: path.to_owned(), source })?;
        let invalid = |problem| ToleranceError::Invalid { path: path.to_owned(), problem };
        if !list.is_sorted_by(|a, b| a.name < b.name) {
            return Err(invalid("tolerances must be sorted by name, without duplicates"));
        }
        if !list.iter().any(|tolerance| tolerance.name == "default") {
            return Err(invalid("there must be a tolerance called default"));
        }
        if list.iter().any(|tolerance| tolerance.why.trim().is_empty()) {
            return Err(invalid("every tolerance needs a why"));
        }
        Ok(Self(list))
    }

    /// The tolerance for `backend`: its own, else `default`.
    pub fn of(&self, backend: &str) -> &Tolerance {
        let named = |name: &str| self.0.iter().find(|tolerance| tolerance.name == name);
        named(backend).or_else(|| named("default")).expect("default is there: checked when reading")
    }
}
