//! One case file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wire::{Capability, Config, Isolation, Limits, Stimulus};

use super::lines::Lines;
use super::{CaseError, Check, Variant, VariantOf};
use crate::finding::{Code, Finding};
use crate::input;

/// One question and what its answer must be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// For editors: where case.schema.json is, as seen from the file. Nothing reads it.
    #[serde(default, rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// `<family>/<name>`, the file's own path below cases/ without `.json`.
    #[schemars(regex(pattern = "^[^/@]+/[^@]+$"))]
    pub id: String,
    /// What goes wrong for whom if this fails, in a sentence or two.
    #[schemars(length(min = 1))]
    pub why: String,
    /// Public reports or documents that the expected values come from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(regex(pattern = "^https://")))]
    pub links: Vec<String>,
    /// Which models to ask: names of models.json, globs over them, or `role:NAME`. Empty: none is needed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
    /// An adapter that is applied to the model: a name of models.json.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<String>,
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
    /// The same question under other conditions, each with the same answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<Variant>,
    /// Where it was read from.
    #[serde(skip)]
    pub path: PathBuf,
    /// Where its parts stand in that file.
    #[serde(skip)]
    pub(super) lines: Lines,
    /// That it is no file of its own, but a variant of another case.
    #[serde(skip)]
    pub variant_of: Option<VariantOf>,
}

impl Case {
    /// Reads `path` and checks that it makes sense; `root` is the folder of all cases. The case comes first, then its
    /// variants, each as a case of its own.
    ///
    /// # Errors
    /// When it cannot be read, does not parse, or contradicts itself.
    pub fn read(root: &Path, path: &Path) -> Result<Vec<Self>, CaseError> {
        let source = input::text(path).map_err(|source| CaseError::Read { path: path.to_owned(), source })?;
        Self::parse(root, path, &source)
    }

    /// As [`Self::read`], of a file that holds `source`.
    ///
    /// # Errors
    /// When it does not parse, or contradicts itself.
    pub fn parse(root: &Path, path: &Path, source: &str) -> Result<Vec<Self>, CaseError> {
        let mut case: Self = serde_json::from_str(source).map_err(|error| CaseError::Parse {
            path: path.to_owned(),
            line: error.line(),
            column: error.column(),
            problem: input::without_position(&error),
        })?;
        path.clone_into(&mut case.path);
        case.lines = Lines::of(source);
        case.validate(root, source)?;
        let base = Arc::new(case);
        let mut all = vec![(*base).clone()];
        for variant in &base.variants {
            let invalid = |problem: String| base.invalid_variant(source, &variant.name, &problem);
            let case = variant.of(&base).map_err(invalid)?;
            if all.iter().any(|other: &Self| other.id == case.id) {
                return Err(invalid("there are two of this name; rename one".into()));
            }
            case.validate_config(source)?;
            all.push(case);
        }
        Ok(all)
    }

    /// The id of the case whose golden counts: its own, or that of which it is a variant.
    pub fn golden_id(&self) -> &str {
        self.variant_of.as_ref().map_or(&self.id, |of| &of.base.id)
    }

    /// For a variant that asks another model than its case: the case's.
    pub fn base_model(&self) -> Option<&str> {
        let of = self.variant_of.as_ref().filter(|of| of.other_model)?;
        of.base.models.first().map(String::as_str)
    }

    /// The models that it needs besides the one that it asks.
    pub fn companions(&self) -> impl Iterator<Item = &str> {
        self.adapter.as_deref().into_iter().chain(self.base_model())
    }

    /// The name of the variant that it is.
    pub fn variant(&self) -> Option<&str> {
        self.variant_of.as_ref().map(|of| of.name.as_str())
    }

    fn invalid_variant(&self, source: &str, name: &str, problem: &str) -> CaseError {
        let quoted = format!("\"{name}\"");
        let line = source.lines().position(|line| line.contains(&quoted)).map_or(1, |index| index + 1);
        let problem = format!("variant {quoted}: {problem}");
        CaseError::Invalid { path: self.path.clone(), line, field: "variants", problem }
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

    /// Whether one of its checks compares with what another subject says in the same run.
    pub fn has_reference(&self) -> bool {
        self.has_golden() || self.checks.iter().any(|check| matches!(check, Check::Live {}))
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
        if let Some(model) = self.models.iter().find(|model| globset::Glob::new(model).is_err()) {
            return Err(invalid("models", format!("\"{model}\" is no name, glob or role:NAME")));
        }
        self.validate_config(source)
    }

    /// What context and stimulus ask for can be had.
    fn validate_config(&self, source: &str) -> Result<(), CaseError> {
        let invalid = |field: &'static str, problem: String| CaseError::Invalid {
            path: self.path.clone(),
            line: line_of(source, field),
            field,
            problem,
        };
        let context = &self.config.context;
        if context.n_ctx == 0 {
            let problem = "0 means the training context, which can kill a phone; name a number of tokens";
            return Err(invalid("n_ctx", problem.into()));
        }
        match &self.stimulus {
            Stimulus::Score(score) if score.sequences == 0 || score.sequences > context.n_seq_max => {
                let problem =
                    format!("{} sequences do not fit; n_seq_max is {}", score.sequences, context.n_seq_max);
                Err(invalid("sequences", problem))
            }
            _ => Ok(()),
        }
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
