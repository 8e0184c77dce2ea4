//! Teacher forcing: tokens that replace the subject's own choice.

use std::collections::VecDeque;

/// What stands in for the subject's own choice.
pub(crate) enum Forced {
    /// Nothing: its own choice counts.
    No,
    /// These tokens, until they run out.
    Tokens(VecDeque<i32>),
}

impl Forced {
    /// From a request's `forced_tokens`.
    pub(crate) fn new(tokens: Option<&[i32]>) -> Self {
        tokens.map_or(Self::No, |tokens| Self::Tokens(tokens.iter().copied().collect()))
    }

    /// The next token, given the subject's own choice; `None` when the forced ones ran out.
    pub(crate) fn next(&mut self, own: i32) -> Option<i32> {
        match self {
            Self::No => Some(own),
            Self::Tokens(tokens) => tokens.pop_front(),
        }
    }

    /// Whether no further token can come.
    pub(crate) fn exhausted(&self) -> bool {
        matches!(self, Self::Tokens(tokens) if tokens.is_empty())
    }
}
