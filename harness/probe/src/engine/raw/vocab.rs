//! The vocabulary of a model.

use std::ffi::c_char;

use llama_cpp_sys_2 as sys;
use wire::{Layer, Refusal, RefusalCode, TokenKind};

use super::text::owned;
use crate::refuse::refuse;

/// A model's vocabulary. It belongs to the model that holds this, and lives as long.
#[derive(Debug)]
pub(super) struct Vocab {
    vocab: *const sys::llama_vocab,
    pub(super) n_tokens: i32,
}

impl Vocab {
    /// The vocabulary of `model`.
    ///
    /// # Safety
    /// `model` is a loaded model that lives longer than what is returned.
    pub(super) unsafe fn of(model: *const sys::llama_model) -> Self {
        // SAFETY: the caller says that the model is loaded.
        let vocab = unsafe { sys::llama_model_get_vocab(model) };
        // SAFETY: every loaded model has a vocabulary, if an empty one.
        Self { vocab, n_tokens: unsafe { sys::llama_vocab_n_tokens(vocab) } }
    }

    pub(super) fn bos(&self) -> i32 {
        // SAFETY: the vocabulary lives, see `of`.
        unsafe { sys::llama_vocab_bos(self.vocab) }
    }

    pub(super) fn eos(&self) -> i32 {
        // SAFETY: as in `bos`.
        unsafe { sys::llama_vocab_eos(self.vocab) }
    }

    pub(super) fn eot(&self) -> i32 {
        // SAFETY: as in `bos`.
        unsafe { sys::llama_vocab_eot(self.vocab) }
    }

    pub(super) fn add_bos(&self) -> bool {
        // SAFETY: as in `bos`.
        unsafe { sys::llama_vocab_get_add_bos(self.vocab) }
    }

    pub(super) fn add_eos(&self) -> bool {
        // SAFETY: as in `bos`.
        unsafe { sys::llama_vocab_get_add_eos(self.vocab) }
    }

    pub(super) fn is_eog(&self, id: i32) -> bool {
        // SAFETY: as in `bos`; an id outside the vocabulary is in no set.
        unsafe { sys::llama_vocab_is_eog(self.vocab, id) }
    }

    pub(super) fn text(&self, id: i32) -> String {
        self.check(id);
        // SAFETY: as in `bos`; the id is inside, and the string lives as long as the vocabulary.
        unsafe { owned(sys::llama_vocab_get_text(self.vocab, id)) }
    }

    pub(super) fn kind(&self, id: i32) -> TokenKind {
        self.check(id);
        // SAFETY: as in `bos`; the id is inside.
        let attr = unsafe { sys::llama_vocab_get_attr(self.vocab, id) };
        let is = |flag: sys::llama_token_attr| attr & flag != 0;
        if is(sys::LLAMA_TOKEN_ATTR_CONTROL) {
            TokenKind::Control
        } else if is(sys::LLAMA_TOKEN_ATTR_USER_DEFINED) {
            TokenKind::UserDefined
        } else if is(sys::LLAMA_TOKEN_ATTR_BYTE) {
            TokenKind::Byte
        } else if is(sys::LLAMA_TOKEN_ATTR_UNKNOWN) || is(sys::LLAMA_TOKEN_ATTR_UNUSED) {
            TokenKind::Other
        } else {
            TokenKind::Normal
        }
    }

    pub(super) fn tokenize(&self, text: &str, add_special: bool, parse: bool) -> Result<Vec<i32>, Refusal> {
        let too_long = || refuse(Layer::Tokens, RefusalCode::TokenizeFailed, "the text is longer than 2 GiB");
        let length = i32::try_from(text.len()).map_err(|_| too_long())?;
        let start: *const c_char = text.as_ptr().cast();
        let call = |ids: &mut Vec<i32>| {
            let room = i32::try_from(ids.len()).unwrap_or(i32::MAX);
            // SAFETY: as in `bos`; `length` bytes are read and at most `room` tokens written.
            unsafe {
                sys::llama_tokenize(self.vocab, start, length, ids.as_mut_ptr(), room, add_special, parse)
            }
        };
        let mut ids = vec![0; text.len() + 8];
        let mut count = call(&mut ids);
        if count < 0 && count != i32::MIN {
            ids.resize(count.unsigned_abs() as usize, 0);
            count = call(&mut ids);
        }
        ids.truncate(usize::try_from(count).map_err(|_| {
            let message = format!("llama_tokenize returned {count} for {length} bytes");
            refuse(Layer::Tokens, RefusalCode::TokenizeFailed, message)
        })?);
        Ok(ids)
    }

    pub(super) fn piece(&self, id: i32, special: bool) -> Vec<u8> {
        self.check(id);
        let call = |bytes: &mut Vec<u8>| {
            let room = i32::try_from(bytes.len()).unwrap_or(i32::MAX);
            // SAFETY: as in `bos`; the id is inside, and at most `room` bytes are written.
            unsafe { sys::llama_token_to_piece(self.vocab, id, bytes.as_mut_ptr().cast(), room, 0, special) }
        };
        let mut bytes = vec![0; 32];
        let mut count = call(&mut bytes);
        if count < 0 {
            bytes.resize(count.unsigned_abs() as usize, 0);
            count = call(&mut bytes);
        }
        bytes.truncate(usize::try_from(count).unwrap_or(0));
        bytes
    }

    /// llama.cpp reads past its tables for an id outside: requests are checked before, so this is a bug of ours.
    fn check(&self, id: i32) {
        assert!((0..self.n_tokens).contains(&id), "token {id} is outside the vocabulary");
    }
}
