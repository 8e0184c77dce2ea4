//! Kinds of errors, the same for all engines.

use std::fmt;

use prompt::TemplateError;
use serde::{Deserialize, Serialize};

/// How minijinja says that one of its own limits was passed.
const EXCEEDED: [&str; 3] =
    ["recursion limit exceeded", "range has too many elements", "sequence is too large"];

/// What kind of error an engine gave instead of a prompt. Engines word their errors differently; these compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorClass {
    /// The template is no Jinja.
    Syntax,
    /// The template refuses the messages, by `raise_exception`.
    Raised,
    /// An expression of the template cannot be evaluated.
    Failed,
    /// The template is endless, explodes, or is too deep.
    Limit,
    /// The engine knows no such template, or takes no such messages.
    Unsupported,
    /// The engine's process died.
    Crashed,
}

impl ErrorClass {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Syntax, Self::Raised, Self::Failed, Self::Limit, Self::Unsupported, Self::Crashed];

    /// The name in JSON and on the terminal.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Raised => "raised",
            Self::Failed => "failed",
            Self::Limit => "limit",
            Self::Unsupported => "unsupported",
            Self::Crashed => "crashed",
        }
    }

    /// The class of an error of the minijinja engine.
    pub fn of(error: &TemplateError) -> Self {
        match error {
            TemplateError::Failed { detail, .. } if EXCEEDED.iter().any(|words| detail.contains(words)) => {
                Self::Limit
            }
            TemplateError::Syntax { .. } => Self::Syntax,
            TemplateError::Raised { .. } => Self::Raised,
            TemplateError::TooLarge { .. }
            | TemplateError::Endless { .. }
            | TemplateError::TooComplex { .. } => Self::Limit,
            _ => Self::Failed,
        }
    }
}

impl fmt::Display for ErrorClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
