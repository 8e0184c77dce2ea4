//! Flags: what a compiled model knows of its context.

use super::CompileError;

/// A flag and the pieces of text, one token each, that raise it.
#[derive(Clone, Debug)]
pub(crate) struct Flag {
    /// The word that behaviours name.
    pub(crate) word: &'static str,
    /// The tokens that raise it.
    pub(crate) pieces: Vec<String>,
}

/// All flags of a model, questions first.
#[derive(Clone, Debug)]
pub(crate) struct Flags {
    /// Of all questions in the context the latest one alone is up.
    pub(crate) questions: Vec<Flag>,
    /// Up if raised anywhere in the context.
    pub(crate) anywhere: Vec<Flag>,
    /// The token that opens a user's turn, and with it takes earlier questions back.
    pub(crate) user: &'static str,
}

impl Flags {
    /// Flags for words (after a space, or at the start of a line) and for special tokens.
    pub(crate) fn new(
        user: &'static str,
        questions: &'static [&'static str],
        anywhere: &'static [&'static str],
        special: &'static [&'static str],
    ) -> Self {
        let word = |word: &&'static str| Flag { word, pieces: vec![format!(" {word}"), (*word).to_owned()] };
        let token = |token: &&'static str| Flag { word: token, pieces: vec![(*token).to_owned()] };
        Self {
            questions: questions.iter().map(word).collect(),
            anywhere: anywhere.iter().map(word).chain(special.iter().map(token)).collect(),
            user,
        }
    }

    /// Every flag, in the order of their numbers.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Flag> {
        self.questions.iter().chain(&self.anywhere)
    }

    /// The number of the flag that `word` raises.
    pub(crate) fn raised_by(&self, word: &str) -> Result<usize, CompileError> {
        self.all().position(|flag| flag.word == word).ok_or_else(|| CompileError::NoSuchFlag(word.to_owned()))
    }

    /// Whether two lists of flags can't be up together: they ask for different questions.
    pub(crate) fn exclude(&self, first: &[usize], second: &[usize]) -> bool {
        let question = |flags: &[usize]| flags.iter().copied().find(|flag| *flag < self.questions.len());
        question(first).zip(question(second)).is_some_and(|(one, other)| one != other)
    }
}
