//! A random model: from a description to the file.

use crate::Writer;

use super::super::architecture::{begin, finish};
use super::super::{CompileError, Vocabulary, VocabularySpec};
use super::{Sizes, Tensors, Weights};

/// An architecture that random models can be made for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RandomArchitecture {
    /// `general.architecture`.
    pub(super) name: &'static str,
    /// Writes the sizes.
    pub(super) describe: fn(&mut Sizes<'_>),
    /// Adds the tensors.
    pub(super) fill: fn(&mut Tensors<'_>) -> Result<(), CompileError>,
}

/// A random model in words.
#[derive(Clone, Debug)]
pub(crate) struct RandomSpec {
    pub(crate) name: &'static str,
    pub(crate) architecture: RandomArchitecture,
    pub(crate) vocabulary: VocabularySpec,
    /// Jinja; empty for none.
    pub(crate) template: String,
    /// What its matrices are made of.
    pub(crate) weights: Weights,
}

/// Makes a random model.
///
/// # Errors
/// [`CompileError`] where the description contradicts itself.
pub(crate) fn random(spec: &RandomSpec) -> Result<Writer, CompileError> {
    let vocabulary = Vocabulary::new(&spec.vocabulary);
    let mut file = begin(spec.architecture.name, spec.name);
    (spec.architecture.describe)(&mut Sizes::new(&mut file, spec.architecture.name, vocabulary.len()));
    finish(&mut file, &vocabulary, &spec.template)?;
    (spec.architecture.fill)(&mut Tensors::new(&mut file, vocabulary.len(), spec.weights))?;
    Ok(file)
}
