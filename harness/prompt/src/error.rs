//! Why a template gave no prompt.

use std::{error::Error, io};

use minijinja::ErrorKind;

/// Why a template gave no prompt. Lines are lines of the template, counted from 1; 0 where none is known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// The template is no valid Jinja.
    #[error(
        "the template is no valid Jinja at line {line}: {detail}; correct the template, or pass another one"
    )]
    Syntax {
        /// Where.
        line: usize,
        /// What the parser says.
        detail: String,
    },
    /// The template itself said no, with `raise_exception`.
    #[error(
        "the template refuses these messages at line {line}: {message}; send messages that it takes (roles, \
         order, system prompt), or pass another template"
    )]
    Raised {
        /// The template's own words.
        message: String,
        /// Where it said so.
        line: usize,
    },
    /// An expression could not be evaluated.
    #[error(
        "the template failed at line {line}: {detail}; set the variable that it needs, or correct that line"
    )]
    Failed {
        /// Where.
        line: usize,
        /// What went wrong.
        detail: String,
    },
    /// The prompt grew past [`MAX_PROMPT_BYTES`](crate::MAX_PROMPT_BYTES).
    #[error(
        "the prompt is longer than {limit} bytes; look for a loop in the template that repeats itself, or send \
         less text"
    )]
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
    /// The template did more work than [`FUEL`](crate::FUEL) pays for.
    #[error(
        "the template did not end after {fuel} steps, the last at line {line}; look for an endless loop or a \
         value that doubles itself there"
    )]
    Endless {
        /// The steps that it had.
        fuel: u64,
        /// Where they ran out.
        line: usize,
    },
    /// The template is nested too deep, or too long, to be read safely.
    #[error("the template is too complex at line {line}: {detail}; split that tag, or pass another template")]
    TooComplex {
        /// Where.
        line: usize,
        /// Which limit it passes.
        detail: String,
    },
    /// A variable would hide what every template is given.
    #[error("the variable \"{name}\" is set by the harness; leave it out of `variables`")]
    Reserved {
        /// Its name.
        name: String,
    },
}

/// What `raise_exception` throws; found again in the engine's chain of sources.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Raised(pub(crate) String);

/// What the output writer says when it is full.
#[derive(Debug, thiserror::Error)]
#[error("the prompt is longer than {0} bytes")]
pub(crate) struct Full(pub(crate) usize);

impl TemplateError {
    /// Translates the engine's error.
    pub(crate) fn from_engine(error: &minijinja::Error) -> Self {
        let line = error.line().unwrap_or(0);
        if let Some(Raised(message)) = cause(error) {
            return Self::Raised { message: message.clone(), line };
        }
        if let Some(Full(limit)) = cause(error) {
            return Self::TooLarge { limit: *limit };
        }
        match innermost(error).kind() {
            ErrorKind::OutOfFuel => Self::Endless { fuel: crate::FUEL, line },
            ErrorKind::SyntaxError | ErrorKind::BadEscape => Self::Syntax { line, detail: detail(error) },
            _ => Self::Failed { line, detail: detail(error) },
        }
    }
}

/// Finds a `T` among the causes of `error`; an I/O error is looked into as well.
fn cause<T: Error + 'static>(error: &minijinja::Error) -> Option<&T> {
    let mut next = error.source();
    while let Some(source) = next {
        if let Some(found) = source.downcast_ref() {
            return Some(found);
        }
        let inner = source.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        if let Some(found) = inner.and_then(|inner| (inner as &(dyn Error + 'static)).downcast_ref()) {
            return Some(found);
        }
        next = source.source();
    }
    None
}

fn innermost(error: &minijinja::Error) -> &minijinja::Error {
    let mut found = error;
    while let Some(inner) = found.source().and_then(|source| source.downcast_ref()) {
        found = inner;
    }
    found
}

/// The engine's words without the name of the template, which is always the same.
fn detail(error: &minijinja::Error) -> String {
    let inner = innermost(error);
    match inner.detail() {
        Some(detail) => format!("{}: {detail}", inner.kind()),
        None => inner.kind().to_string(),
    }
}
