//! What differs between architectures of llama.cpp: names, metadata, rotation.

use crate::Writer;

use super::{CompileError, Shape, Vocabulary};

/// An architecture that models can be compiled for. Those whose queries and keys are normed can't be: a head finds
/// a token by the length of its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Architecture {
    /// `llama`: RMS norm, rotated pairs side by side, SiLU-gated feed-forward.
    Llama,
}

/// Which two dimensions of a head RoPE turns together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rope {
    /// Neighbours: 2i and 2i + 1.
    Interleaved,
}

impl Rope {
    /// The dimension of `part` (0 or 1) of `pair` in a head of width `head`.
    pub(crate) fn dimension(self, pair: usize, part: usize, head: usize) -> usize {
        assert!(2 * pair + part < head, "pair {pair} is outside a head of {head}");
        match self {
            Self::Interleaved => 2 * pair + part,
        }
    }
}

impl Architecture {
    /// `general.architecture`.
    const fn name(self) -> &'static str {
        match self {
            Self::Llama => "llama",
        }
    }

    /// How it rotates.
    pub(crate) const fn rope(self) -> Rope {
        match self {
            Self::Llama => Rope::Interleaved,
        }
    }

    /// A file with all metadata and no tensors. An empty `template` is left out.
    pub(crate) fn begin(
        self,
        name: &str,
        template: &str,
        shape: &Shape,
        vocabulary: &Vocabulary,
    ) -> Result<Writer, CompileError> {
        let mut file = begin(self.name(), name);
        self.describe(&mut file, shape, vocabulary.len());
        finish(&mut file, vocabulary, template)?;
        Ok(file)
    }

    /// Writes the sizes under the architecture's own keys.
    fn describe(self, file: &mut Writer, shape: &Shape, vocabulary: usize) {
        let mut set = |key: &str, value: usize| {
            file.set(&format!("{}.{key}", self.name()), value as u32);
        };
        set("context_length", shape.context);
        set("embedding_length", shape.width);
        set("block_count", shape.blocks);
        set("feed_forward_length", shape.feed_forward);
        set("attention.head_count", shape.heads);
        set("attention.head_count_kv", shape.kv_heads);
        set("attention.key_length", shape.head);
        set("attention.value_length", shape.head);
        set("rope.dimension_count", shape.head);
        set("vocab_size", vocabulary);
        file.set(&format!("{}.attention.layer_norm_rms_epsilon", self.name()), 1e-6_f32);
        file.set(&format!("{}.rope.freq_base", self.name()), shape.rope_base);
    }
}

/// A file that says what it is.
pub(super) fn begin(architecture: &str, name: &str) -> Writer {
    let mut file = Writer::new(architecture);
    file.set("general.name", name);
    file.set("general.license", "MIT OR Apache-2.0");
    file.set("general.file_type", 1_u32);
    file
}

/// The metadata after the architecture's: vocabulary and chat template, an empty one left out.
pub(super) fn finish(file: &mut Writer, vocabulary: &Vocabulary, template: &str) -> Result<(), CompileError> {
    vocabulary.describe(file)?;
    if !template.is_empty() {
        file.set("tokenizer.chat_template", template);
    }
    Ok(())
}
