//! How the tokenisation schemes spell text in a vocabulary.

/// Merges of the byte-level vocabulary of whole words, so that a word that is no token still meets the merge loop.
pub(super) const MERGES: &[&str] = &["Ġ t", "h e", "Ġt he"];

/// Words that exist for [`MERGES`] alone.
pub(crate) const MERGED_WORDS: &[&str] = &[" t", "he", " the"];

/// How text becomes tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    /// SentencePiece, `tokenizer.ggml.model` "llama": pieces merge upwards by score.
    Spm,
    /// Byte-level BPE, `tokenizer.ggml.model` "gpt2", with a pre-tokenizer that takes whole words as they are.
    Bpe,
    /// Byte-level BPE as Qwen 2 and 3 have it: words grow by merges.
    Qwen2,
    /// BPE as Gemma 4 has it: words grow by merges, over whole lines, spelled as SentencePiece spells them.
    Gemma4,
}

impl Scheme {
    /// `tokenizer.ggml.model`.
    pub(super) const fn model(self) -> &'static str {
        match self {
            Self::Spm => "llama",
            Self::Bpe | Self::Qwen2 => "gpt2",
            Self::Gemma4 => "gemma4",
        }
    }

    /// `tokenizer.ggml.pre`. llama.cpp takes a word that is a token as it is, merges or not, with "llama-bpe".
    pub(super) const fn pre_tokenizer(self) -> &'static str {
        match self {
            Self::Spm => "default",
            Self::Bpe => "llama-bpe",
            Self::Qwen2 => "qwen2",
            Self::Gemma4 => "gemma4",
        }
    }

    /// Whether every byte has a printable stand-in, and special tokens come last.
    pub(super) const fn is_byte_level(self) -> bool {
        matches!(self, Self::Bpe | Self::Qwen2)
    }

    /// Whether words are built by merges.
    pub(super) const fn merges_words(self) -> bool {
        matches!(self, Self::Qwen2 | Self::Gemma4)
    }

    /// Whether printable ASCII needs tokens of its own, besides those of its bytes.
    pub(crate) const fn spells_characters(self) -> bool {
        !self.is_byte_level()
    }

    /// The character that stands for a space.
    pub(super) const fn space(self) -> char {
        if self.is_byte_level() { 'Ġ' } else { '\u{2581}' }
    }

    /// The spelling of a piece of text.
    pub(super) fn text(self, piece: &str) -> String {
        if self.is_byte_level() {
            piece.bytes().map(printable).collect()
        } else {
            piece.replace(' ', "\u{2581}")
        }
    }

    /// The spelling of a lone byte.
    pub(super) fn byte_text(self, byte: u8) -> String {
        if self.is_byte_level() { printable(byte).to_string() } else { format!("<0x{byte:02X}>") }
    }

    /// The tokens that `word` needs, with their scores. SentencePiece and merges grow a piece by one character at a
    /// time, longest and leftmost first: with every beginning of every word in the vocabulary and the length as the
    /// score, they take the longest known beginning, whatever stands around it.
    pub(super) fn pieces(self, word: &str) -> Vec<(String, f32)> {
        if self == Self::Bpe {
            return vec![(self.text(word), 0.0)];
        }
        (1..=word.chars().count())
            .map(|length| (self.text(&word.chars().take(length).collect::<String>()), length as f32))
            .collect()
    }
}

/// The byte that `<0xF0>` stands for.
pub(super) fn byte_of(piece: &str) -> Option<u8> {
    u8::from_str_radix(piece.strip_prefix("<0x")?.strip_suffix('>')?, 16).ok()
}

/// GPT-2's printable stand-in for a byte: itself where it is printable Latin-1, else the next free character from
/// U+0100 up.
fn printable(byte: u8) -> char {
    let is_printable = |byte: u8| matches!(byte, 33..=126 | 161..=172 | 174..=255);
    if is_printable(byte) {
        return char::from(byte);
    }
    let before = (0..byte).filter(|earlier| !is_printable(*earlier)).count() as u32;
    char::from_u32(256 + before).expect("U+0100 to U+0143 are characters")
}
