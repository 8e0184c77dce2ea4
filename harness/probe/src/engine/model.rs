//! A loaded model: its vocabulary, its metadata, its template.

use std::{collections::BTreeMap, rc::Rc};

use wire::{ContextConfig, LoadEvidence, Refusal, TokenKind};

use super::{BuiltinChat, Context};

/// A loaded model. Token ids given to it must be inside the vocabulary.
pub trait Model {
    /// What loading showed: everything but the context's facts, the special tokens and the metadata.
    fn evidence(&self) -> LoadEvidence;

    /// Metadata keys of the file that are no arrays.
    fn metadata(&self) -> BTreeMap<String, String>;

    /// Turns text into tokens with llama.cpp's two switches.
    ///
    /// # Errors
    /// Where llama.cpp cannot tokenise.
    fn tokenize(&self, text: &str, add_special: bool, parse_special: bool) -> Result<Vec<i32>, Refusal>;

    /// A token's text as it stands in the vocabulary.
    fn text(&self, id: i32) -> String;

    /// The bytes that a token renders to; a control token renders to nothing unless `special`.
    fn piece(&self, id: i32, special: bool) -> Vec<u8>;

    /// What a token is.
    fn kind(&self, id: i32) -> TokenKind;

    /// `llama_vocab_is_eog`.
    fn is_eog(&self, id: i32) -> bool;

    /// Whether the vocabulary asks for EOS at the end of a text.
    fn add_eos(&self) -> bool;

    /// Applies a template with `llama_chat_apply_template`.
    ///
    /// # Errors
    /// Where llama.cpp does not know the template (it returns −1). There is no fallback.
    fn apply_builtin(&self, chat: &BuiltinChat<'_>) -> Result<String, Refusal>;

    /// Makes a context.
    ///
    /// # Errors
    /// Where llama.cpp cannot make it.
    fn context(self: Rc<Self>, config: &ContextConfig) -> Result<Box<dyn Context>, Refusal>;
}
