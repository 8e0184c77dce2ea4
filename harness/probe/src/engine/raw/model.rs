//! A loaded model.

use std::{collections::BTreeMap, ptr::NonNull, rc::Rc};

use llama_cpp_sys_2 as sys;
use wire::{ContextConfig, LoadEvidence, Refusal, TokenKind};

use super::{
    context::RawContext,
    template,
    text::{filled, owned},
    vocab::Vocab,
};
use crate::engine::{BuiltinChat, Context, Model};

/// A loaded model, freed on drop.
#[derive(Debug)]
pub(crate) struct RawModel {
    model: NonNull<sys::llama_model>,
    vocab: Vocab,
    pub(super) cpu_only: bool,
}

impl RawModel {
    /// Owns what `llama_model_load_from_file` returned; `None` for null.
    pub(super) fn new(model: *mut sys::llama_model, cpu_only: bool) -> Option<Self> {
        let model = NonNull::new(model)?;
        // SAFETY: the model is loaded, and the vocabulary is dropped with it.
        let vocab = unsafe { Vocab::of(model.as_ptr()) };
        Some(Self { model, vocab, cpu_only })
    }

    /// The model, for calls that need it.
    pub(super) const fn as_ptr(&self) -> *mut sys::llama_model {
        self.model.as_ptr()
    }

    /// Tokens in the vocabulary: the length of a logit vector.
    pub(super) const fn n_vocab(&self) -> i32 {
        self.vocab.n_tokens
    }

    fn template(&self) -> Option<String> {
        // SAFETY: the model lives; a null name asks for the default template, a string that lives as long.
        let template = unsafe { sys::llama_model_chat_template(self.as_ptr(), std::ptr::null()) };
        // SAFETY: not null here, so a C string.
        (!template.is_null()).then(|| unsafe { owned(template) })
    }

    fn metadata_value(&self, index: i32) -> Option<(String, String)> {
        let model = self.as_ptr();
        // SAFETY: the model lives; `filled` passes a buffer and its size.
        let key =
            filled(|start, size| unsafe { sys::llama_model_meta_key_by_index(model, index, start, size) })?;
        // SAFETY: as above.
        let value = filled(|start, size| unsafe {
            sys::llama_model_meta_val_str_by_index(model, index, start, size)
        })?;
        Some((key, value))
    }
}

impl Drop for RawModel {
    fn drop(&mut self) {
        // SAFETY: this is the only owner, and contexts hold it by `Rc`.
        unsafe { sys::llama_model_free(self.as_ptr()) };
    }
}

impl Model for RawModel {
    fn evidence(&self) -> LoadEvidence {
        let metadata = self.metadata();
        let template = self.template();
        let model = self.as_ptr();
        // SAFETY: the model lives; these only read it.
        let (n_layer, n_ctx_train, n_swa, recurrent) = unsafe {
            (
                sys::llama_model_n_layer(model),
                sys::llama_model_n_ctx_train(model),
                sys::llama_model_n_swa(model),
                sys::llama_model_is_recurrent(model) || sys::llama_model_is_hybrid(model),
            )
        };
        LoadEvidence {
            architecture: metadata.get("general.architecture").cloned().unwrap_or_default(),
            n_vocab: self.vocab.n_tokens,
            n_layer,
            n_ctx_train,
            n_swa,
            recurrent,
            template_bytes: template.as_ref().map(String::len),
            template,
            add_bos: self.vocab.add_bos(),
            bos: self.vocab.bos(),
            eos: self.vocab.eos(),
            eot: self.vocab.eot(),
            eog: (0..self.vocab.n_tokens).filter(|&id| self.vocab.is_eog(id)).collect(),
            ..LoadEvidence::default()
        }
    }

    fn metadata(&self) -> BTreeMap<String, String> {
        // SAFETY: the model lives.
        let count = unsafe { sys::llama_model_meta_count(self.as_ptr()) };
        (0..count).filter_map(|index| self.metadata_value(index)).collect()
    }

    fn tokenize(&self, text: &str, add_special: bool, parse_special: bool) -> Result<Vec<i32>, Refusal> {
        self.vocab.tokenize(text, add_special, parse_special)
    }

    fn text(&self, id: i32) -> String {
        self.vocab.text(id)
    }

    fn piece(&self, id: i32, special: bool) -> Vec<u8> {
        self.vocab.piece(id, special)
    }

    fn kind(&self, id: i32) -> TokenKind {
        self.vocab.kind(id)
    }

    fn is_eog(&self, id: i32) -> bool {
        self.vocab.is_eog(id)
    }

    fn add_eos(&self) -> bool {
        self.vocab.add_eos()
    }

    fn apply_builtin(&self, chat: &BuiltinChat<'_>) -> Result<String, Refusal> {
        template::apply(chat)
    }

    fn context(self: Rc<Self>, config: &ContextConfig) -> Result<Box<dyn Context>, Refusal> {
        Ok(Box::new(RawContext::new(self, config)?))
    }
}
