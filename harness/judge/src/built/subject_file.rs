//! subject.json: what was built for a backend, and how to start it.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use wire::Card;

use super::{BuiltError, sha256_of_file};
use crate::input;
use crate::plan::{Origin, Target};
use crate::subject::Launch;
use crate::whole;

/// The version of this file. It changes whenever an older reader would misread a newer file.
const VERSION: u32 = 1;

/// A built probe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubjectFile {
    version: u32,
    /// The backend's name.
    pub backend: String,
    /// The probe.
    pub path: PathBuf,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
    /// How to start it.
    pub launch: LaunchFile,
    /// What it says of itself.
    pub card: Card,
    /// A hash of the sources and settings that it was built from.
    pub built_from: String,
}

/// How to start a probe: run each of `prepare` to its end, then `prefix`, the probe's path and its arguments as
/// one command line, with every variable for the probe named `env_prefix` + its name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaunchFile {
    /// Command lines that make the place ready; each is argv.
    pub prepare: Vec<Vec<String>>,
    /// What stands before the probe's path.
    pub prefix: Vec<String>,
    /// What stands before the name of a variable that the probe is to see.
    pub env_prefix: String,
    /// Variables that the probe has to see, for example a device filter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<(String, String)>,
}

impl LaunchFile {
    /// How to start `probe` with `args`; what has to be prepared is prepared.
    pub fn launch(&self, probe: &Path, args: &[&str]) -> Launch {
        let probe = probe.display().to_string();
        let mut words =
            self.prefix.iter().cloned().chain([probe]).chain(args.iter().map(|arg| (*arg).to_owned()));
        Launch {
            program: words.next().unwrap_or_default().into(),
            args: words.collect(),
            env: self
                .env
                .iter()
                .map(|(key, value)| (format!("{}{key}", self.env_prefix), value.clone()))
                .collect(),
        }
    }
}

impl SubjectFile {
    /// Describes a probe that was built just now.
    ///
    /// # Errors
    /// When the probe cannot be read.
    pub fn new(
        backend: &str,
        path: &Path,
        launch: LaunchFile,
        card: Card,
        built_from: String,
    ) -> std::io::Result<Self> {
        let sha256 = sha256_of_file(path)?;
        let path = path.to_owned();
        Ok(Self { version: VERSION, backend: backend.to_owned(), path, sha256, launch, card, built_from })
    }

    /// Where it lies in the probe's folder.
    pub fn path_in(folder: &Path) -> PathBuf {
        folder.join("subject.json")
    }

    /// Writes it into `folder`, whole or not at all.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), BuiltError> {
        let path = Self::path_in(folder);
        let written = serde_json::to_vec_pretty(self).map_err(std::io::Error::from).and_then(|mut text| {
            text.push(b'\n');
            whole::write(&path, &text)
        });
        written.map_err(|source| BuiltError::Write { path, source })
    }

    /// Reads it and makes sure that the probe is still the one that it describes. `built_from`, where the caller
    /// knows it, is the hash of the sources as they are now.
    ///
    /// # Errors
    /// When it is missing, unreadable or stale.
    pub fn read_fresh(folder: &Path, backend: &str, built_from: Option<&str>) -> Result<Self, BuiltError> {
        let path = Self::path_in(folder);
        let stale = |problem: String| BuiltError::Stale { backend: backend.to_owned(), problem };
        let text = input::bytes(&path, input::MOST)
            .map_err(|_| BuiltError::Missing { backend: backend.to_owned() })?;
        let subject: Self = serde_json::from_slice(&text)
            .map_err(|error| stale(format!("{} is not readable ({error})", path.display())))?;
        if subject.version != VERSION {
            return Err(stale(format!("{} has another version", path.display())));
        }
        if built_from.is_some_and(|now| subject.built_from != now) {
            return Err(stale(format!("the probe of {backend} is older than its sources")));
        }
        let sum = sha256_of_file(&subject.path).map_err(|error| {
            stale(format!("the probe is gone: cannot read {}: {error}", subject.path.display()))
        })?;
        if sum != subject.sha256 {
            return Err(stale(format!("{} is not the probe that was described", subject.path.display())));
        }
        Ok(subject)
    }

    /// The subject as a plan's target; the probe serves with `args` appended.
    pub fn target(&self, args: &[&str]) -> Target {
        let words: Vec<&str> = ["serve"].iter().chain(args).copied().collect();
        Target {
            name: self.backend.clone(),
            launch: self.launch.launch(&self.path, &words),
            card: self.card.clone(),
            origin: Origin::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn card() -> Card {
        serde_json::from_value(serde_json::json!({
            "backend": "cpu", "devices": [], "os": "", "arch": "", "cpu_features": "", "llama_version": "",
            "bindings": "", "capabilities": [], "engines": [], "template_engines": [], "wrapper": ""
        }))
        .unwrap()
    }

    fn written(folder: &Path) -> SubjectFile {
        let probe = folder.join("probe");
        fs::write(&probe, "program").unwrap();
        let subject =
            SubjectFile::new("cpu", &probe, LaunchFile::default(), card(), "sources".to_owned()).unwrap();
        subject.write(folder).unwrap();
        subject
    }

    fn reason(folder: &Path, built_from: &str) -> String {
        let text = SubjectFile::read_fresh(folder, "cpu", Some(built_from)).unwrap_err().to_string();
        let (reason, cure) = text.split_once("; run ").unwrap();
        assert_eq!(cure, "`cargo xtask build --backend cpu`");
        reason.replace(&folder.display().to_string(), "~")
    }

    #[test]
    fn a_launcher_comes_first_and_prefixes_variables() {
        let env = vec![("K".to_owned(), "v".to_owned())];
        let mut file = LaunchFile { env, ..LaunchFile::default() };
        let launch = file.launch(Path::new("/p"), &["serve"]);
        assert_eq!((launch.to_string(), launch.env), ("/p serve".into(), vec![("K".into(), "v".into())]));
        file.prefix = ["xcrun", "simctl", "spawn", "U"].map(str::to_owned).to_vec();
        file.env_prefix = "SIMCTL_CHILD_".to_owned();
        let launch = file.launch(Path::new("/p"), &["serve"]);
        assert_eq!(launch.to_string(), "xcrun simctl spawn U /p serve");
        assert_eq!(launch.env, [("SIMCTL_CHILD_K".to_owned(), "v".to_owned())]);
    }

    #[test]
    fn a_fresh_one_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let subject = written(folder.path());
        assert_eq!(SubjectFile::read_fresh(folder.path(), "cpu", Some("sources")).unwrap(), subject);
        assert_eq!(SubjectFile::read_fresh(folder.path(), "cpu", None).unwrap(), subject);
    }

    #[test]
    fn each_kind_of_staleness_has_its_reason() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        assert_eq!(reason(folder, "sources"), "no probe is built for cpu");
        let subject = written(folder);
        assert_eq!(reason(folder, "other"), "the probe of cpu is older than its sources");
        fs::write(&subject.path, "another").unwrap();
        assert_eq!(reason(folder, "sources"), "~/probe is not the probe that was described");
        fs::remove_file(&subject.path).unwrap();
        assert!(reason(folder, "sources").starts_with("the probe is gone: cannot read ~/probe"));
        let future = fs::read_to_string(SubjectFile::path_in(folder)).unwrap().replacen('1', "2", 1);
        fs::write(SubjectFile::path_in(folder), future).unwrap();
        assert_eq!(reason(folder, "sources"), "~/subject.json has another version");
        fs::write(SubjectFile::path_in(folder), "{}").unwrap();
        assert!(reason(folder, "sources").starts_with("~/subject.json is not readable"));
    }
}
