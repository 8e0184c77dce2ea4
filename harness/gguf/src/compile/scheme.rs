//! How the two tokenisation schemes spell text in a vocabulary.

use super::Scheme;

/// Merges of the byte-level vocabulary, so that a word that is no token still meets the merge loop.
pub(super) const MERGES: &[&str] = &["Ġ t", "h e", "Ġt he"];

/// Words that exist for [`MERGES`] alone.
pub(crate) const MERGED_WORDS: &[&str] = &[" t", "he", " the"];

/// `tokenizer.ggml.model`.
pub(super) const fn model(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Spm => "llama",
        Scheme::Bpe => "gpt2",
    }
}

/// `tokenizer.ggml.pre`. llama.cpp takes a word that is a token as it is, merges or not, with "llama-bpe".
pub(super) const fn pre_tokenizer(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Spm => "default",
        Scheme::Bpe => "llama-bpe",
    }
}

/// The spelling of a piece of text.
pub(super) fn text(scheme: Scheme, piece: &str) -> String {
    match scheme {
        Scheme::Spm => piece.replace(' ', "\u{2581}"),
        Scheme::Bpe => piece.bytes().map(printable).collect(),
    }
}

/// The spelling of a lone byte.
pub(super) fn byte_text(scheme: Scheme, byte: u8) -> String {
    match scheme {
        Scheme::Spm => format!("<0x{byte:02X}>"),
        Scheme::Bpe => printable(byte).to_string(),
    }
}

/// The byte that `<0xF0>` stands for.
pub(super) fn byte_of(piece: &str) -> Option<u8> {
    u8::from_str_radix(piece.strip_prefix("<0x")?.strip_suffix('>')?, 16).ok()
}

/// The tokens that `word` needs, with their scores. SentencePiece grows a piece by one character at a time, longest
/// and leftmost first: with every beginning of every word in the vocabulary and the length as the score, it takes
/// the longest known beginning, whatever stands around it.
pub(super) fn pieces(scheme: Scheme, word: &str) -> Vec<(String, f32)> {
    match scheme {
        Scheme::Bpe => vec![(text(scheme, word), 0.0)],
        Scheme::Spm => (1..=word.chars().count())
            .map(|length| (text(scheme, &word.chars().take(length).collect::<String>()), length as f32))
            .collect(),
    }
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
