//! Metadata under an architecture's own keys.

use crate::{Value, Writer};

/// Sets `<architecture>.<key>`.
#[derive(Debug)]
pub(super) struct Sizes<'a> {
    file: &'a mut Writer,
    architecture: &'static str,
    vocabulary: usize,
}

impl<'a> Sizes<'a> {
    pub(super) fn new(file: &'a mut Writer, architecture: &'static str, vocabulary: usize) -> Self {
        Self { file, architecture, vocabulary }
    }

    /// Sets one key.
    pub(super) fn set(&mut self, key: &str, value: impl Into<Value>) -> &mut Self {
        self.file.set(&format!("{}.{key}", self.architecture), value);
        self
    }

    /// Sets sizes.
    pub(super) fn sizes(&mut self, sizes: &[(&str, usize)]) -> &mut Self {
        for (key, size) in sizes {
            self.set(key, *size as u32);
        }
        self
    }

    /// Sets the size of the vocabulary.
    pub(super) fn vocabulary(&mut self) -> &mut Self {
        self.set("vocab_size", self.vocabulary as u32)
    }

    /// Sets what the norms add to the mean square.
    pub(super) fn epsilon(&mut self) -> &mut Self {
        self.set("attention.layer_norm_rms_epsilon", 1e-6_f32)
    }
}
