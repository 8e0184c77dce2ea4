//! One case file.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use wire::{Capability, Config, Isolation, Limits, Stimulus};

use super::lines::Lines;
use super::{CaseError, Check};
use crate::finding::{Code, Finding};
use crate::input;

/// One question and what its answer must be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// `<family>/<name>`, the file's own path below cases/ without `.json`.
    pub id: String,
    /// What goes wrong for whom if this fails, in a sentence or two.
    pub why: String,
    /// Public reports or documents that the expected values come from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    /// Which models to ask: names of models.json, globs over them, or `role:NAME`. Empty: none is needed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
    /// What a subject must be able to do beyond the stimulus itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<Capability>,
    /// How to load the model and make a context.
    #[serde(default)]
    pub config: Config,
    /// What the subject may use.
    #[serde(default)]
    pub limits: Limits,
    /// Whether the context may have been used before.
    #[serde(default)]
    pub isolation: Isolation,
    /// What to do.
    pub stimulus: Stimulus,
    /// What must be seen.
    pub checks: Vec<Check>,
    /// Findings that a sound subject shows here: their absence fails, and they do not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expects: Vec<Code>,
    /// Where it was read from.
    #[serde(skip)]
    pub path: PathBuf,
    /// Where its parts stand in that file.
    #[serde(skip)]
    pub(super) lines: Lines,
}

impl Case {
    /// Reads `path` and checks that it makes sense; `root` is the folder of all cases.
    ///
    /// # Errors
    /// When it cannot be read, does not parse, or contradicts itself.
    pub fn read(root: &Path, path: &Path) -> Result<Self, CaseError> {
        let source = input::text(path).map_err(|source| CaseError::Read { path: path.to_owned(), source })?;
        let mut case: Self = serde_json::from_str(&source).map_err(|error| CaseError::Parse {
            path: path.to_owned(),
            line: error.line(),
            column: error.column(),
            problem: input::without_position(&error),
        })?;
        path.clone_into(&mut case.path);
        case.lines = Lines::of(&source);
        case.validate(root, &source)?;
        Ok(case)
    }

    /// The first part of the id: `template`, `eog`, `thinking`, `turns`, `load`, `numbers`.
    pub fn family(&self) -> &str {
        self.id.split('/').next().unwrap_or_default()
    }

    /// The line of the file, from 1, that demands what `finding` says is not so: the check's, else the stimulus's.
    pub fn line_of(&self, finding: &Finding) -> usize {
        self.lines.of_check(finding.check)
    }

    /// Whether one of its checks needs a golden or a reference.
    pub fn has_golden(&self) -> bool {
        self.checks.iter().any(|check| matches!(check, Check::Golden {}))
    }

    /// An error about one of its fields, at that field's line.
    pub(crate) fn invalid(&self, field: &'static str, problem: String) -> CaseError {
        let source = input::text(&self.path).unwrap_or_default();
        CaseError::Invalid { path: self.path.clone(), line: line_of(&source, field), field, problem }
    }

    fn validate(&self, root: &Path, source: &str) -> Result<(), CaseError> {
        let invalid = |field: &'static str, problem: String| CaseError::Invalid {
            path: self.path.clone(),
            line: line_of(source, field),
            field,
            problem,
        };
        let expected = id_of(root, &self.path);
        if self.id != expected {
            return Err(invalid(
                "id",
                format!("\"{}\" must be \"{expected}\", as the file is called", self.id),
            ));
        }
        if self.why.trim().is_empty() {
            return Err(invalid("why", "say what goes wrong for whom if this fails".into()));
        }
        if self.checks.is_empty() && self.expects.is_empty() {
            return Err(invalid("checks", "a case without a check can't fail; add one".into()));
        }
        if let Some(link) = self.links.iter().find(|link| !link.starts_with("https://")) {
            return Err(invalid("links", format!("\"{link}\" is no https:// link")));
        }
        if self.config.context.n_ctx == 0 {
            let problem = "0 means the training context, which can kill a phone; name a number of tokens";
            return Err(invalid("n_ctx", problem.into()));
        }
        if let Some(model) = self.models.iter().find(|model| globset::Glob::new(model).is_err()) {
            return Err(invalid("models", format!("\"{model}\" is no name, glob or role:NAME")));
        }
        Ok(())
    }
}

fn id_of(root: &Path, path: &Path) -> String {
    let relative = path.strip_prefix(root).unwrap_or(path).with_extension("");
    relative.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn line_of(source: &str, field: &str) -> usize {
    let quoted = format!("\"{field}\"");
    source.lines().position(|line| line.contains(&quoted)).map_or(1, |index| index + 1)
}
