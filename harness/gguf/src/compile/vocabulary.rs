//! Vocabularies: the tokens of a compiled model and the metadata that describe them.

use std::collections::HashMap;

use crate::{Array, Value, Writer};

use super::merges::merges;
use super::{CompileError, Scheme, scheme};

/// A token's number in its vocabulary.
pub(crate) type TokenId = usize;

/// `llama_token_type`, as `tokenizer.ggml.token_type` numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Normal = 1,
    Unknown = 2,
    Control = 3,
    UserDefined = 4,
    Byte = 6,
}

/// What a vocabulary is made of.
#[derive(Clone, Debug)]
pub(crate) struct VocabularySpec {
    pub(crate) scheme: Scheme,
    /// Tokens with a place of their own, most of them more than text, in the order of their ids.
    pub(crate) special: Vec<(String, TokenKind)>,
    /// Pieces of text that are one token each, as they render.
    pub(crate) words: Vec<&'static str>,
    /// The piece of text that is a token with and without a space in front.
    pub(crate) markers: &'static [&'static str],
    pub(crate) bos: Option<&'static str>,
    pub(crate) eos: &'static str,
    pub(crate) pad: &'static str,
    pub(crate) unknown: Option<&'static str>,
    pub(crate) add_bos: bool,
}

#[derive(Clone, Debug)]
struct Token {
    /// As the file spells it.
    text: String,
    kind: TokenKind,
    score: f32,
}

/// A vocabulary whose tokens have numbers.
#[derive(Clone, Debug)]
pub(crate) struct Vocabulary {
    spec: VocabularySpec,
    tokens: Vec<Token>,
    /// From the spelling in the file.
    by_text: HashMap<String, TokenId>,
}

impl Vocabulary {
    /// Numbers the tokens of `spec`.
    pub(crate) fn new(spec: &VocabularySpec) -> Self {
        let mut vocabulary = Self { spec: spec.clone(), tokens: Vec::new(), by_text: HashMap::new() };
        if spec.scheme.is_byte_level() {
            vocabulary.add_bytes();
            vocabulary.add_words();
            vocabulary.add_special();
        } else {
            vocabulary.add_special();
            vocabulary.add_bytes();
            vocabulary.add_words();
        }
        vocabulary
    }

    /// How many tokens.
    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The token that renders as `piece`; a lone byte is written `<0xF0>`.
    pub(crate) fn id(&self, piece: &str) -> Result<TokenId, CompileError> {
        let text = match scheme::byte_of(piece) {
            Some(byte) => self.spec.scheme.byte_text(byte),
            None if self.is_more_than_text(piece) => piece.to_owned(),
            None => self.spec.scheme.text(piece),
        };
        self.by_text.get(&text).copied().ok_or_else(|| CompileError::NoSuchToken(piece.to_owned()))
    }

    /// Writes `tokenizer.ggml.*`.
    pub(crate) fn describe(&self, file: &mut Writer) -> Result<(), CompileError> {
        let spec = &self.spec;
        file.set("tokenizer.ggml.model", spec.scheme.model())
            .set("tokenizer.ggml.pre", spec.scheme.pre_tokenizer())
            .set("tokenizer.ggml.tokens", strings(self.tokens.iter().map(|token| token.text.clone())))
            .set(
                "tokenizer.ggml.token_type",
                self.tokens.iter().map(|token| token.kind as i32).collect::<Vec<_>>(),
            );
        if !spec.scheme.is_byte_level() {
            file.set(
                "tokenizer.ggml.scores",
                self.tokens.iter().map(|token| token.score).collect::<Vec<_>>(),
            );
            file.set("tokenizer.ggml.add_space_prefix", false);
        }
        if spec.scheme != Scheme::Spm {
            file.set("tokenizer.ggml.merges", strings(self.merges()?.into_iter()));
        }
        for (key, piece) in [
            ("bos", spec.bos),
            ("eos", Some(spec.eos)),
            ("padding", Some(spec.pad)),
            ("unknown", spec.unknown),
        ] {
            if let Some(piece) = piece {
                file.set(&format!("tokenizer.ggml.{key}_token_id"), self.id(piece)? as u32);
            }
        }
        file.set("tokenizer.ggml.add_bos_token", spec.add_bos).set("tokenizer.ggml.add_eos_token", false);
        Ok(())
    }

    /// The merges, in the order of their ranks.
    fn merges(&self) -> Result<Vec<String>, CompileError> {
        let scheme = self.spec.scheme;
        if !scheme.merges_words() {
            return Ok(scheme::MERGES.iter().map(|merge| (*merge).to_owned()).collect());
        }
        let words: Vec<String> = self.words().iter().map(|word| scheme.text(word)).collect();
        merges(&words, scheme.space())
    }

    fn add_special(&mut self) {
        for (text, kind) in self.spec.special.clone() {
            if kind == TokenKind::Normal {
                self.add(self.spec.scheme.text(&text), kind, text.chars().count() as f32);
            } else {
                self.add(text, kind, 0.0);
            }
        }
    }

    /// Whether a piece of text is a token that text is never merged into.
    fn is_more_than_text(&self, piece: &str) -> bool {
        let special = |(text, kind): &(String, TokenKind)| text == piece && *kind != TokenKind::Normal;
        self.spec.special.iter().any(special)
    }

    fn add_bytes(&mut self) {
        let kind = if self.spec.scheme.is_byte_level() { TokenKind::Normal } else { TokenKind::Byte };
        for byte in 0..=u8::MAX {
            self.add(self.spec.scheme.byte_text(byte), kind, 0.0);
        }
    }

    fn add_words(&mut self) {
        for word in self.words() {
            for (text, score) in self.spec.scheme.pieces(&word) {
                self.add(text, TokenKind::Normal, score);
            }
        }
    }

    /// Everything that text is merged into.
    fn words(&self) -> Vec<String> {
        let markers = self.spec.markers.iter().flat_map(|word| [(*word).to_owned(), format!(" {word}")]);
        let words = self.spec.words.iter().map(|word| (*word).to_owned()).chain(markers);
        words.filter(|word| scheme::byte_of(word).is_none() && !self.is_more_than_text(word)).collect()
    }

    /// Adds a token unless its spelling is taken.
    fn add(&mut self, text: String, kind: TokenKind, score: f32) {
        if !self.by_text.contains_key(&text) {
            self.by_text.insert(text.clone(), self.tokens.len());
            self.tokens.push(Token { text, kind, score });
        }
    }
}

fn strings(list: impl Iterator<Item = String>) -> Value {
    Value::Array(Array::String(list.collect()))
}
