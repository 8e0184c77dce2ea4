//! The scripted vocabulary: 256 bytes, then a few special tokens.

use wire::TokenKind;

/// Begins every text.
pub(crate) const BOS: i32 = 256;
/// Ends generation; the vocabulary's EOS.
pub(crate) const EOS: i32 = 257;
/// Opens the answer's turn.
pub(crate) const A: i32 = 259;
/// Ends a turn, and generation.
pub(crate) const E: i32 = 260;
/// Opens a thought.
pub(crate) const THINK: i32 = 261;
/// Closes a thought.
pub(crate) const THOUGHT: i32 = 262;

/// Special tokens from id 256 on. The last one is user-defined, the others are control tokens.
pub(super) const SPECIAL: [&str; 8] = ["<s>", "</s>", "<u>", "<a>", "<e>", "<think>", "</think>", "[x]"];

/// Tokens in the vocabulary.
pub(super) const SIZE: i32 = 256 + SPECIAL.len() as i32;

/// The id of a character below 128.
pub(crate) const fn id(character: char) -> i32 {
    character as i32
}

/// What a token is.
pub(super) fn kind(id: i32) -> TokenKind {
    match id {
        0..256 => TokenKind::Normal,
        _ if id == SIZE - 1 => TokenKind::UserDefined,
        _ => TokenKind::Control,
    }
}

/// The bytes of a token's text.
pub(super) fn text(id: i32) -> Vec<u8> {
    match id {
        0..256 => vec![id as u8],
        _ => SPECIAL[id as usize - 256].as_bytes().to_vec(),
    }
}

/// Bytes to tokens; control tokens only where `parse`, user-defined ones always.
pub(super) fn tokenize(text: &str, parse: bool) -> Vec<i32> {
    let mut ids = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let special = (256..SIZE).find(|&id| {
            (parse || kind(id) == TokenKind::UserDefined)
                && rest.starts_with(SPECIAL[id as usize - 256].as_bytes())
        });
        match special {
            Some(id) => {
                ids.push(id);
                rest = &rest[SPECIAL[id as usize - 256].len()..];
            }
            None => {
                ids.push(i32::from(first));
                rest = after;
            }
        }
    }
    ids
}
