//! What can be wrong with the description of a compiled model.

use crate::WriteError;

/// Why a model could not be compiled. The shipped fixtures always can; a test builds each.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// A rule names a piece of text that is no token.
    #[error("\"{0}\" is no token of the vocabulary; add it to the words")]
    NoSuchToken(String),
    /// A behaviour asks for a flag that nothing raises.
    #[error("no marker raises the flag \"{0}\"; add it to the markers")]
    NoSuchFlag(String),
    /// Two words of a BPE vocabulary begin inside each other.
    #[error("no order of merges keeps the words that begin with \"{0}\" whole; change or drop one of them")]
    Tangled(String),
    /// The model needs more of something than its shape has.
    #[error("the rules need {needed} {what}, the shape has {has}; enlarge the shape")]
    TooMany {
        /// What is short.
        what: &'static str,
        /// How many are needed.
        needed: usize,
        /// How many there are.
        has: usize,
    },
    /// The file can't be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}
