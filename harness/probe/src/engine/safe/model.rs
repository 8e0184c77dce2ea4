//! A loaded model, by llama-cpp-2.

use std::{collections::BTreeMap, rc::Rc};

use llama_cpp_2::{
    ApplyChatTemplateError,
    model::{LlamaChatMessage, LlamaChatTemplate, LlamaModel},
    token::LlamaToken,
    token_type::LlamaTokenAttr,
};
use wire::{ContextConfig, Layer, LoadEvidence, Refusal, RefusalCode, TokenKind};

use super::context::SafeContext;
use crate::{
    engine::{BuiltinChat, Context, Model},
    refuse::{bad_request, refuse},
};

/// A loaded model.
#[derive(Debug)]
pub(super) struct SafeModel {
    model: Rc<LlamaModel>,
    cpu_only: bool,
}

impl SafeModel {
    /// Owns `model`.
    pub(super) fn new(model: LlamaModel, cpu_only: bool) -> Self {
        Self { model: Rc::new(model), cpu_only }
    }
}

impl Model for SafeModel {
    /// llama-cpp-2 has no `llama_model_n_swa`: the window stays 0.
    fn evidence(&self) -> LoadEvidence {
        let vocab = self.model.vocab();
        let template = self.model.chat_template(None).ok().and_then(|template| template.to_string().ok());
        LoadEvidence {
            architecture: self.model.meta_val_str("general.architecture").unwrap_or_default(),
            n_vocab: vocab.n_tokens(),
            n_layer: self.model.n_layer().cast_signed(),
            n_ctx_train: self.model.n_ctx_train().cast_signed(),
            recurrent: self.model.is_recurrent() || self.model.is_hybrid(),
            template_bytes: template.as_ref().map(String::len),
            template,
            add_bos: vocab.should_add_bos(),
            bos: vocab.bos().0,
            eos: vocab.eos().0,
            eot: vocab.eot().0,
            eog: vocab.tokens().filter(|&token| vocab.is_eog(token)).map(|token| token.0).collect(),
            ..LoadEvidence::default()
        }
    }

    fn metadata(&self) -> BTreeMap<String, String> {
        (0..self.model.meta_count())
            .filter_map(|index| {
                let key = self.model.meta_key_by_index(index).ok()?;
                Some((key, self.model.meta_val_str_by_index(index).ok()?))
            })
            .collect()
    }

    fn tokenize(&self, text: &str, add_special: bool, parse_special: bool) -> Result<Vec<i32>, Refusal> {
        let tokens = self.model.vocab().tokenize(text.as_bytes(), add_special, parse_special);
        Ok(tokens.into_iter().map(|token| token.0).collect())
    }

    fn text(&self, id: i32) -> String {
        let text = self.model.vocab().text(LlamaToken(id)).map(|text| text.to_string_lossy().into_owned());
        text.unwrap_or_default()
    }

    fn piece(&self, id: i32, special: bool) -> Vec<u8> {
        self.model.vocab().token_to_piece(LlamaToken(id), special, None)
    }

    fn kind(&self, id: i32) -> TokenKind {
        let attrs = self.model.vocab().attr(LlamaToken(id));
        if attrs.contains(LlamaTokenAttr::Control) {
            TokenKind::Control
        } else if attrs.contains(LlamaTokenAttr::UserDefined) {
            TokenKind::UserDefined
        } else if attrs.contains(LlamaTokenAttr::Byte) {
            TokenKind::Byte
        } else if attrs.intersects(LlamaTokenAttr::Unknown | LlamaTokenAttr::Unused) {
            TokenKind::Other
        } else {
            TokenKind::Normal
        }
    }

    fn is_eog(&self, id: i32) -> bool {
        self.model.vocab().is_eog(LlamaToken(id))
    }

    fn add_eos(&self) -> bool {
        self.model.vocab().should_add_eos()
    }

    fn apply_builtin(&self, chat: &BuiltinChat<'_>) -> Result<String, Refusal> {
        let nul = |_| bad_request(Layer::Template, "a NUL character cannot be given to llama.cpp; remove it");
        let template = LlamaChatTemplate::new(chat.template).map_err(nul)?;
        let messages = chat
            .messages
            .iter()
            .map(|message| LlamaChatMessage::new(message.role.clone(), message.content.clone()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| bad_request(Layer::Template, error.to_string()))?;
        self.model
            .apply_chat_template(&template, &messages, chat.add_generation_prompt)
            .map_err(|error| template_refusal(&error))
    }

    fn context(self: Rc<Self>, config: &ContextConfig) -> Result<Box<dyn Context>, Refusal> {
        Ok(Box::new(SafeContext::make(Rc::clone(&self.model), config, self.cpu_only)?))
    }
}

fn template_refusal(error: &ApplyChatTemplateError) -> Refusal {
    let code = match error {
        ApplyChatTemplateError::FfiError(_) => RefusalCode::TemplateUnsupported,
        _ => RefusalCode::TemplateError,
    };
    refuse(Layer::Template, code, error.to_string())
}
