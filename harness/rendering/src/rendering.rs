//! What an engine made of a conversation.

use prompt::TemplateError;
use serde::{Deserialize, Serialize};

use crate::ErrorClass;

/// A prompt, or why there is none. In JSON `{"prompt": …}` or `{"error": {"class": …, "message": …}}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rendering {
    /// The prompt.
    Prompt(String),
    /// Why there is none.
    Error(RenderError),
}

/// Why there is no prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RenderError {
    /// What kind of error.
    pub class: ErrorClass,
    /// The engine's own words.
    pub message: String,
}

impl Rendering {
    /// An error.
    pub fn error(class: ErrorClass, message: impl Into<String>) -> Self {
        Self::Error(RenderError { class, message: message.into() })
    }

    /// The prompt, where there is one.
    pub fn prompt(&self) -> Option<&str> {
        match self {
            Self::Prompt(prompt) => Some(prompt),
            Self::Error(_) => None,
        }
    }

    /// Whether both are the same prompt, byte for byte, or errors of the same class.
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Prompt(one), Self::Prompt(other)) => one == other,
            (Self::Error(one), Self::Error(other)) => one.class == other.class,
            _ => false,
        }
    }
}

impl From<Result<String, TemplateError>> for Rendering {
    fn from(result: Result<String, TemplateError>) -> Self {
        match result {
            Ok(prompt) => Self::Prompt(prompt),
            Err(error) => Self::error(ErrorClass::of(&error), error.to_string()),
        }
    }
}
