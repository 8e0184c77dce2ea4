//! The scripted model.

use std::{cell::Cell, collections::BTreeMap, rc::Rc};

use wire::{ContextConfig, Layer, LoadEvidence, Refusal, RefusalCode, TokenKind};

use super::{context::ScriptedContext, engine::Script, vocab};
use crate::{
    engine::{BuiltinChat, Context, Model},
    refuse::{context_refusal, refuse},
};

/// A model that plays a script.
pub(super) struct ScriptedModel {
    pub(super) script: Script,
    pub(super) contexts: Rc<Cell<u32>>,
}

impl Model for ScriptedModel {
    fn evidence(&self) -> LoadEvidence {
        LoadEvidence {
            architecture: "script".to_owned(),
            n_vocab: vocab::SIZE,
            n_swa: self.script.n_swa,
            template_bytes: self.script.template.as_ref().map(String::len),
            template: self.script.template.clone(),
            add_bos: true,
            bos: vocab::BOS,
            eos: vocab::EOS,
            eot: -1,
            eog: vec![vocab::EOS, vocab::E],
            ..LoadEvidence::default()
        }
    }

    fn metadata(&self) -> BTreeMap<String, String> {
        BTreeMap::from([("general.architecture".to_owned(), "script".to_owned())])
    }

    fn tokenize(&self, text: &str, add_special: bool, parse_special: bool) -> Result<Vec<i32>, Refusal> {
        let bos = add_special.then_some(vocab::BOS);
        Ok(bos.into_iter().chain(vocab::tokenize(text, parse_special)).collect())
    }

    fn text(&self, id: i32) -> String {
        String::from_utf8_lossy(&vocab::text(id)).into_owned()
    }

    fn piece(&self, id: i32, special: bool) -> Vec<u8> {
        if vocab::kind(id) == TokenKind::Control && !special { Vec::new() } else { vocab::text(id) }
    }

    fn kind(&self, id: i32) -> TokenKind {
        vocab::kind(id)
    }

    fn is_eog(&self, id: i32) -> bool {
        id == vocab::EOS || id == vocab::E
    }

    fn add_eos(&self) -> bool {
        false
    }

    fn apply_builtin(&self, chat: &BuiltinChat<'_>) -> Result<String, Refusal> {
        match chat.template {
            "known" => Ok(chat.messages.iter().map(|m| format!("<u>{}<e>", m.content)).collect()),
            _ => Err(refuse(Layer::Template, RefusalCode::TemplateUnsupported, "returned -1")),
        }
    }

    fn context(self: Rc<Self>, config: &ContextConfig) -> Result<Box<dyn Context>, Refusal> {
        if config.n_threads > 64 {
            return Err(context_refusal(&[]));
        }
        self.contexts.set(self.contexts.get() + 1);
        Ok(Box::new(ScriptedContext::new(self.script.clone(), config)))
    }
}
