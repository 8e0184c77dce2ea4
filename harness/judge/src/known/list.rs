//! The list of known failures: every file of cases/known/.

use std::path::{Path, PathBuf};

use wire::Card;

use super::KnownFailure;
use crate::input::{self, InputError};

/// All known failures, in the order of their files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownFailures(Vec<KnownFailure>);

/// Why the list cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KnownError {
    /// A file cannot be read, or does not parse.
    #[error(transparent)]
    Input(#[from] InputError),
    /// An entry breaks a rule.
    #[error("{}: entry for \"{case}\": {problem}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The entry's case glob.
        case: String,
        /// Which rule, and how to keep it.
        problem: &'static str,
    },
}

impl KnownFailures {
    /// Reads every `*.json` in `folder`; none, where there is no such folder.
    ///
    /// # Errors
    /// When a file cannot be read, does not parse, is not sorted by case and finding, or an entry lacks reason or
    /// link.
    pub fn read(folder: &Path) -> Result<Self, KnownError> {
        if !folder.exists() {
            return Ok(Self::default());
        }
        let error = |source| InputError::Read { path: folder.to_owned(), source };
        let mut paths = std::fs::read_dir(folder)
            .map_err(error)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(error)?;
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort();
        let mut all = Vec::new();
        for path in paths {
            all.extend(read_file(&path)?);
        }
        Ok(Self(all))
    }

    /// A list made by hand.
    pub fn new(entries: Vec<KnownFailure>) -> Self {
        Self(entries)
    }

    /// Entries about a subject of this run that fit none of its items: the case is gone or was renamed. `asked`
    /// are case, model and card of every item of a complete plan.
    pub fn stale<'a>(&'a self, asked: &[(&str, &str, &Card)]) -> Vec<&'a KnownFailure> {
        let about_subject = |entry: &KnownFailure| asked.iter().any(|(_, _, card)| entry.subject.fits(card));
        let about_item =
            |entry: &KnownFailure| asked.iter().any(|(case, model, card)| entry.is_about(case, model, card));
        self.0.iter().filter(|entry| about_subject(entry) && !about_item(entry)).collect()
    }

    /// All entries.
    pub fn entries(&self) -> &[KnownFailure] {
        &self.0
    }
}

fn read_file(path: &Path) -> Result<Vec<KnownFailure>, KnownError> {
    let entries: Vec<KnownFailure> = input::json(path)?;
    let invalid = |entry: &KnownFailure, problem| KnownError::Invalid {
        path: path.to_owned(),
        case: entry.case.clone(),
        problem,
    };
    if let Some(pair) = entries.windows(2).find(|pair| pair[0] >= pair[1]) {
        return Err(invalid(&pair[1], "entries must be sorted by case and finding, without duplicates"));
    }
    for entry in &entries {
        if entry.reason.trim().is_empty() {
            return Err(invalid(entry, "say why it fails"));
        }
        if !entry.link.starts_with("https://") {
            return Err(invalid(entry, "link the public report, https://…"));
        }
        if globset::Glob::new(&entry.case).is_err() {
            return Err(invalid(entry, "the case is no glob"));
        }
    }
    Ok(entries)
}
