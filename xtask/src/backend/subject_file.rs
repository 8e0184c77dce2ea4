//! `subject.json`: what was built for a backend, and how to start it.
//!
//! It lies beside the probe, in `target/probe/<backend>/`. Whoever runs cases reads it and never builds.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use wire::Card;

use crate::command_line::CommandLine;
use crate::exit::Exit;
use crate::{atomic, digest};

/// The version of this file. It changes whenever an older reader would misread a newer file.
const VERSION: u32 = 1;

/// A built probe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SubjectFile {
    /// Must equal [`VERSION`].
    version: u32,
    /// The backend's name.
    pub(crate) backend: String,
    /// The probe.
    pub(crate) path: PathBuf,
    /// Its SHA-256, in hexadecimal.
    pub(crate) sha256: String,
    /// How to start it.
    pub(crate) launch: Launch,
    /// What it says of itself.
    pub(crate) card: Card,
    /// A hash of the sources and settings that it was built from.
    pub(crate) built_from: String,
}

/// How to start a probe: run each of `prepare` to its end, then `prefix`, the probe's path and its arguments as
/// one command line, with every variable for the probe named `env_prefix` + its name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Launch {
    /// Command lines that make the place ready; each is argv.
    pub(crate) prepare: Vec<Vec<String>>,
    /// What stands before the probe's path.
    pub(crate) prefix: Vec<String>,
    /// What stands before the name of a variable that the probe is to see.
    pub(crate) env_prefix: String,
}

impl Launch {
    /// The command line that starts `probe` with `args` and `env`; what has to be prepared is prepared.
    pub(crate) fn command_line(&self, probe: &Path, args: &[&str], env: &[(&str, &str)]) -> CommandLine {
        let probe = probe.display().to_string();
        let mut words = self.prefix.iter().cloned().chain([probe]);
        let program = words.next().unwrap_or_default();
        let mut line = CommandLine::new(&program, words).args(args.iter().copied());
        for (key, value) in env {
            line = line.env(format!("{}{key}", self.env_prefix), *value);
        }
        line
    }
}

impl SubjectFile {
    /// Describes a probe that was built just now.
    pub(crate) fn new(
        backend: &str,
        path: &Path,
        launch: Launch,
        card: Card,
        built_from: String,
    ) -> Result<Self> {
        let sha256 = digest::of_file(path)?;
        Ok(Self {
            version: VERSION,
            backend: backend.to_owned(),
            path: path.to_owned(),
            sha256,
            launch,
            card,
            built_from,
        })
    }

    /// How the judge starts it as a worker. What `launch` says to prepare comes first, and is not in it.
    pub(crate) fn worker(&self) -> judge::subject::Launch {
        let mut words = self.launch.prefix.iter().cloned().chain([self.path.display().to_string()]);
        let program = words.next().unwrap_or_default().into();
        judge::subject::Launch { program, args: words.chain(["serve".to_owned()]).collect(), env: vec![] }
    }

    /// Where it lies in the probe's folder.
    pub(crate) fn path_in(folder: &Path) -> PathBuf {
        folder.join("subject.json")
    }

    /// Writes it.
    pub(crate) fn write(&self, folder: &Path) -> Result<()> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        atomic::write(&Self::path_in(folder), &text)
    }

    /// Reads it and makes sure that it still tells the truth.
    ///
    /// # Errors
    /// When it is missing, unreadable or stale: the probe is gone or another one, or the sources (`built_from`)
    /// have changed. The message names the command that builds it anew.
    pub(crate) fn read_fresh(folder: &Path, backend: &str, built_from: &str) -> Result<Self> {
        let path = Self::path_in(folder);
        let stale = |what: String| {
            Exit::Missing.error(format!("{what}; run `cargo xtask build --backend {backend}`"))
        };
        let text = std::fs::read(&path).map_err(|_| stale(format!("no probe is built for {backend}")))?;
        let subject: Self = serde_json::from_slice(&text)
            .map_err(|error| stale(format!("{} is not readable ({error})", path.display())))?;
        if subject.version != VERSION {
            return Err(stale(format!("{} has another version", path.display())));
        }
        if subject.built_from != built_from {
            return Err(stale(format!("the probe of {backend} is older than its sources")));
        }
        let sum = digest::of_file(&subject.path)
            .context("the probe is gone")
            .map_err(|error| stale(format!("{error:#}")))?;
        if sum != subject.sha256 {
            return Err(stale(format!("{} is not the probe that was described", subject.path.display())));
        }
        Ok(subject)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::backend::make::tests::card;

    fn written(folder: &Path) -> SubjectFile {
        let probe = folder.join("probe");
        fs::write(&probe, "program").unwrap();
        let subject =
            SubjectFile::new("cpu", &probe, Launch::default(), card("cpu"), "sources".to_owned()).unwrap();
        subject.write(folder).unwrap();
        subject
    }

    fn reason(folder: &Path, built_from: &str) -> String {
        let error = SubjectFile::read_fresh(folder, "cpu", built_from).unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Missing);
        let text = error.to_string();
        let (reason, cure) = text.split_once("; run ").unwrap();
        assert_eq!(cure, "`cargo xtask build --backend cpu`");
        reason.replace(&folder.display().to_string(), "~")
    }

    #[test]
    fn a_launcher_comes_first_and_prefixes_variables() {
        let mut launch = Launch::default();
        let line =
            |launch: &Launch| launch.command_line(Path::new("/p"), &["serve"], &[("K", "v")]).to_string();
        assert_eq!(line(&launch), "K=v /p serve");
        launch.prefix = ["xcrun", "simctl", "spawn", "U"].map(str::to_owned).to_vec();
        launch.env_prefix = "SIMCTL_CHILD_".to_owned();
        assert_eq!(line(&launch), "SIMCTL_CHILD_K=v xcrun simctl spawn U /p serve");
    }

    #[test]
    fn a_fresh_one_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let subject = written(folder.path());
        assert_eq!(SubjectFile::read_fresh(folder.path(), "cpu", "sources").unwrap(), subject);
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
