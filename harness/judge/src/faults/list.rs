//! cases/faults.json: what each fault must be blamed with.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use wire::{Capability, Layer};

use crate::finding::Code;
use crate::input::{self, InputError};

/// One fault of the probe and what must come of it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultEntry {
    /// Its name, as in `probe serve --fault NAME`.
    pub fault: String,
    /// The layer to blame.
    #[serde(default)]
    pub layer: Option<Layer>,
    /// The finding that blames it.
    #[serde(default)]
    pub finding: Option<Code>,
    /// Instead of layer and finding: the harness refuses the subject, in these words.
    #[serde(default)]
    pub broken: Option<String>,
    /// What it is shown on; all of it must show it.
    pub shown_on: Vec<FaultShowing>,
    /// Asked first, of the same worker; whatever comes of it.
    #[serde(default)]
    pub before: Vec<FaultShowing>,
    /// The subject never answers: it is asked with a short deadline.
    #[serde(default)]
    pub hangs: bool,
    /// What a subject must be able to do.
    #[serde(default)]
    pub needs: Vec<Capability>,
    /// Why the layer to blame is not the place where the fault lies.
    #[serde(default)]
    pub exception: Option<String>,
}

/// A case, or some, and a model.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultShowing {
    /// A glob over case ids.
    pub case: String,
    /// The model; none where the case needs none.
    #[serde(default)]
    pub model: Option<String>,
}

/// What must come of a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expectation {
    /// This layer is blamed, with this finding.
    Blame {
        /// The layer.
        layer: Layer,
        /// The finding.
        finding: Code,
    },
    /// The harness refuses the subject, with a message that contains this.
    Broken(String),
}

/// Why faults.json cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FaultListError {
    /// It cannot be read, or does not parse.
    #[error(transparent)]
    Input(#[from] InputError),
    /// It parses and breaks a rule.
    #[error("{}: {fault}: {problem}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The entry.
        fault: String,
        /// Which rule.
        problem: &'static str,
    },
}

/// Reads `path`.
///
/// # Errors
/// When it cannot be read, does not parse, is not sorted by fault, or an entry says too little or too much.
pub fn read_faults(path: &Path) -> Result<Vec<FaultEntry>, FaultListError> {
    let entries: Vec<FaultEntry> = input::json(path)?;
    let problem = entries.iter().find_map(|entry| Some((entry, entry.problem()?))).or_else(|| {
        let unsorted = entries.windows(2).find(|pair| pair[0].fault >= pair[1].fault)?;
        Some((&unsorted[1], "faults must be sorted by name, without duplicates"))
    });
    match problem {
        None => Ok(entries),
        Some((entry, problem)) => {
            Err(FaultListError::Invalid { path: path.to_owned(), fault: entry.fault.clone(), problem })
        }
    }
}

impl FaultEntry {
    /// What must come of it; `None` where the entry does not say, which no entry that was read does.
    pub fn expectation(&self) -> Option<Expectation> {
        match (self.layer, self.finding, &self.broken) {
            (Some(layer), Some(finding), None) => Some(Expectation::Blame { layer, finding }),
            (None, None, Some(words)) if !words.trim().is_empty() => Some(Expectation::Broken(words.clone())),
            _ => None,
        }
    }

    fn problem(&self) -> Option<&'static str> {
        let is_glob = |showing: &FaultShowing| globset::Glob::new(&showing.case).is_ok();
        if self.expectation().is_none() {
            Some("say `layer` and `finding`, or `broken` alone")
        } else if self.finding.is_some_and(Code::is_remark) {
            Some("that finding speaks of the case, not of the subject; state another")
        } else if self.shown_on.is_empty() {
            Some("name in `shown_on` a case that shows it")
        } else if !self.shown_on.iter().chain(&self.before).all(is_glob) {
            Some("a `case` is no glob")
        } else if self.exception.as_ref().is_some_and(|why| why.trim().is_empty()) {
            Some("give the exception a reason, or leave it out")
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(entries: &str, problem: Option<&str>) {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), entries).unwrap();
        let name = file.path().display().to_string();
        let seen = read_faults(file.path()).err().map(|error| error.to_string().replace(&name, "~"));
        assert_eq!(seen.as_deref(), problem);
    }

    #[test]
    fn an_entry_says_neither_too_little_nor_too_much() {
        let entry = |fault: &str, rest: &str| format!(r#"{{"fault": "{fault}", {rest}}}"#);
        let shown = r#""shown_on": [{"case": "eog/*", "model": "m"}]"#;
        let stated = r#""layer": "stop", "finding": "never-ended""#;
        let sound = |fault: &str| entry(fault, &format!("{stated}, {shown}"));
        check(&format!("[{}, {}]", sound("a"), sound("b")), None);
        check(&format!("[{}]", entry("a", &format!(r#""broken": "no", {shown}"#))), None);
        for (entries, problem) in [
            (vec![sound("b"), sound("a")], "~: a: faults must be sorted by name, without duplicates"),
            (vec![sound("a"), sound("a")], "~: a: faults must be sorted by name, without duplicates"),
            (vec![entry("a", shown)], "~: a: say `layer` and `finding`, or `broken` alone"),
            (
                vec![entry("a", &format!(r#"{stated}, "broken": "no", {shown}"#))],
                "~: a: say `layer` and `finding`, or `broken` alone",
            ),
            (
                vec![entry("a", &format!(r#"{stated}, "shown_on": []"#))],
                "~: a: name in `shown_on` a case that shows it",
            ),
            (
                vec![entry("a", &format!(r#"{stated}, "shown_on": [{{"case": "["}}]"#))],
                "~: a: a `case` is no glob",
            ),
            (
                vec![entry("a", &format!(r#"{stated}, "exception": " ", {shown}"#))],
                "~: a: give the exception a reason, or leave it out",
            ),
            (
                vec![entry("a", &format!(r#""layer": "load", "finding": "fault-active", {shown}"#))],
                "~: a: that finding speaks of the case, not of the subject; state another",
            ),
        ] {
            check(&format!("[{}]", entries.join(", ")), Some(problem));
        }
    }
}
