//! Vocabularies: the tokens of a compiled model and the metadata that describe them.

use std::collections::HashMap;

use crate::{Array, Value, Writer};

use super::{CompileError, scheme};

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

/// How text becomes tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    /// SentencePiece, `tokenizer.ggml.model` "llama": pieces merge upwards by score.
    Spm,
    /// Byte-level BPE, `tokenizer.ggml.model` "gpt2", with a pre-tokenizer that takes whole words as they are.
    Bpe,
}

/// What a vocabulary is made of.
#[derive(Clone, Debug)]
pub(crate) struct VocabularySpec {
    pub(crate) scheme: Scheme,
    /// Tokens that are more than text, in the order of their ids.
    pub(crate) special: &'static [(&'static str, TokenKind)],
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
        match spec.scheme {
            Scheme::Spm => {
                vocabulary.add_special();
                vocabulary.add_bytes();
                vocabulary.add_words();
            }
            Scheme::Bpe => {
                vocabulary.add_bytes();
                vocabulary.add_words();
                vocabulary.add_special();
            }
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
            Some(byte) => scheme::byte_text(self.spec.scheme, byte),
            None if self.is_special(piece) => piece.to_owned(),
            None => scheme::text(self.spec.scheme, piece),
        };
        self.by_text.get(&text).copied().ok_or_else(|| CompileError::NoSuchToken(piece.to_owned()))
    }

    /// Writes `tokenizer.ggml.*`.
    pub(crate) fn describe(&self, file: &mut Writer) -> Result<(), CompileError> {
        let spec = &self.spec;
        file.set("tokenizer.ggml.model", scheme::model(spec.scheme))
            .set("tokenizer.ggml.pre", scheme::pre_tokenizer(spec.scheme))
            .set("tokenizer.ggml.tokens", strings(self.tokens.iter().map(|token| token.text.clone())))
            .set(
                "tokenizer.ggml.token_type",
                self.tokens.iter().map(|token| token.kind as i32).collect::<Vec<_>>(),
            );
        match spec.scheme {
            Scheme::Spm => file
                .set("tokenizer.ggml.scores", self.tokens.iter().map(|token| token.score).collect::<Vec<_>>())
                .set("tokenizer.ggml.add_space_prefix", false),
            Scheme::Bpe => {
                file.set("tokenizer.ggml.merges", strings(scheme::MERGES.iter().map(|m| (*m).to_owned())))
            }
        };
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

    fn add_special(&mut self) {
        for (text, kind) in self.spec.special {
            self.add((*text).to_owned(), *kind, 0.0);
        }
    }

    fn is_special(&self, piece: &str) -> bool {
        self.spec.special.iter().any(|(special, _)| *special == piece)
    }

    fn is_more_than_text(&self, piece: &str) -> bool {
        scheme::byte_of(piece).is_some() || self.is_special(piece)
    }

    fn add_bytes(&mut self) {
        let kind = if self.spec.scheme == Scheme::Spm { TokenKind::Byte } else { TokenKind::Normal };
        for byte in 0..=u8::MAX {
            self.add(scheme::byte_text(self.spec.scheme, byte), kind, 0.0);
        }
    }

    fn add_words(&mut self) {
        let markers = self.spec.markers.iter().flat_map(|word| [(*word).to_owned(), format!(" {word}")]);
        let words = self.spec.words.iter().map(|word| (*word).to_owned());
        let words: Vec<String> = words.chain(markers).filter(|word| !self.is_more_than_text(word)).collect();
        for word in words {
            for (text, score) in scheme::pieces(self.spec.scheme, &word) {
                self.add(text, TokenKind::Normal, score);
            }
        }
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
