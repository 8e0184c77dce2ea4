//! A loaded model and what the wrapper keeps asking of it.

use std::rc::Rc;

use wire::{Layer, TokenKind};
use wire::{LoadEvidence, Refusal, ThinkingTags, Token, VocabToken};

use crate::{engine::Model, refuse::bad_request, stopwatch::Stopwatch};

/// A loaded model with its facts.
pub(crate) struct Loaded {
    /// The model.
    pub(crate) model: Rc<dyn Model>,
    /// Its facts, asked once.
    pub(crate) facts: LoadEvidence,
    /// Time spent computing.
    pub(crate) clock: Stopwatch,
}

impl Loaded {
    /// Asks the model for its facts.
    pub(crate) fn new(model: Rc<dyn Model>) -> Self {
        Self { facts: model.evidence(), model, clock: Stopwatch::default() }
    }

    /// Text to tokens.
    pub(crate) fn tokenize(
        &self,
        text: &str,
        add_special: bool,
        parse_special: bool,
    ) -> Result<Vec<i32>, Refusal> {
        self.clock.time(|| self.model.tokenize(text, add_special, parse_special))
    }

    /// A token as evidence, special tokens shown.
    pub(crate) fn token(&self, id: i32) -> Token {
        Token { id, piece: wire::Piece(self.model.piece(id, true)), kind: self.model.kind(id) }
    }

    /// Tokens as evidence.
    pub(crate) fn tokens(&self, ids: &[i32]) -> Vec<Token> {
        ids.iter().map(|&id| self.token(id)).collect()
    }

    /// The text that a special token renders to; empty where the vocabulary has none.
    pub(crate) fn special_text(&self, id: i32) -> String {
        if id < 0 { String::new() } else { self.token(id).piece.lossy() }
    }

    /// Whether a token is control or user-defined.
    pub(crate) fn is_special(&self, id: i32) -> bool {
        matches!(self.model.kind(id), TokenKind::Control | TokenKind::UserDefined)
    }

    /// Ids whose logits are kept by name: every EOG id, and every thinking tag that is one token.
    pub(crate) fn named(&self, thinking: Option<&ThinkingTags>) -> Result<Vec<i32>, Refusal> {
        let mut named = self.facts.eog.clone();
        for tag in thinking.iter().flat_map(|tags| [&tags.open, &tags.close]) {
            if let [id] = self.tokenize(tag, false, true)?[..]
                && !named.contains(&id)
            {
                named.push(id);
            }
        }
        Ok(named)
    }

    /// Every control and user-defined token, ascending.
    pub(crate) fn special_tokens(&self) -> Vec<VocabToken> {
        (0..self.facts.n_vocab)
            .filter(|&id| self.is_special(id))
            .map(|id| VocabToken {
                id,
                text: self.model.text(id),
                kind: self.model.kind(id),
                eog: self.model.is_eog(id),
            })
            .collect()
    }

    /// Refuses tokens that the vocabulary does not have: llama.cpp would read past its end.
    pub(crate) fn check_ids(&self, ids: &[i32]) -> Result<(), Refusal> {
        match ids.iter().find(|id| !(0..self.facts.n_vocab).contains(*id)) {
            None => Ok(()),
            Some(id) => Err(bad_request(
                Layer::Tokens,
                format!("token {id} is outside the vocabulary of {} tokens", self.facts.n_vocab),
            )),
        }
    }
}
