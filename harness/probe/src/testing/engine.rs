//! Loads the script.

use std::{cell::Cell, path::Path, rc::Rc};

use wire::{EngineKind, Layer, LoadConfig, Refusal, RefusalCode};

use super::model::ScriptedModel;
use crate::{
    engine::{BuiltinChat, Engine, Model},
    log::{self, Level},
    refuse::{load_refusal, refuse},
};

/// The answer to a prompt, given every token in memory up to the opening of the answer.
pub(crate) type Reply = Rc<dyn Fn(&[i32]) -> Vec<i32>>;

/// What the model does.
#[derive(Clone)]
pub(crate) struct Script {
    /// The answer.
    pub(crate) reply: Reply,
    /// The chat template in the file.
    pub(crate) template: Option<String>,
    /// Whether the memory can shift.
    pub(crate) can_shift: Option<bool>,
    /// The number of a decode call, from 0, and what it returns instead of working.
    pub(crate) fails: Option<(usize, i32)>,
    /// The sliding window, 0 for none.
    pub(crate) n_swa: i32,
    /// Whether a part of the memory can be removed.
    pub(crate) can_remove: bool,
}

impl Script {
    /// Always gives the same answer, then ends its turn.
    pub(crate) fn says(answer: &'static str) -> Self {
        Self::replies(move |_| [super::vocab::tokenize(answer, true), vec![super::E]].concat())
    }

    /// Answers by what it has in memory.
    pub(crate) fn replies(reply: impl Fn(&[i32]) -> Vec<i32> + 'static) -> Self {
        let template = "{{ bos_token }}{% for m in messages %}{{ '<a>' if m.role == 'assistant' else '<u>' }}\
                        {{ m.content }}<e>{% endfor %}{% if add_generation_prompt %}<a>{% endif %}";
        Self {
            reply: Rc::new(reply),
            template: Some(template.to_owned()),
            can_shift: Some(true),
            fails: None,
            n_swa: 0,
            can_remove: true,
        }
    }
}

/// An engine whose every model plays the script. A file called `broken` cannot be loaded.
pub(crate) struct ScriptedEngine {
    script: Script,
    contexts: Rc<Cell<u32>>,
}

impl ScriptedEngine {
    /// Plays `script` and counts the contexts that it makes.
    pub(crate) fn new(script: Script, contexts: Rc<Cell<u32>>) -> Self {
        Self { script, contexts }
    }
}

impl Engine for ScriptedEngine {
    fn kind(&self) -> EngineKind {
        EngineKind::Raw
    }

    fn load(&self, path: &Path, _: &LoadConfig) -> Result<Rc<dyn Model>, Refusal> {
        log::push(Some(Level::Info), "loading\n");
        if path.ends_with("broken") {
            log::push(Some(Level::Error), "mmap failed: Cannot allocate memory\n");
            return Err(load_refusal(&log::problems()));
        }
        Ok(Rc::new(ScriptedModel { script: self.script.clone(), contexts: Rc::clone(&self.contexts) }))
    }

    fn apply_builtin(&self, _: &BuiltinChat<'_>) -> Result<String, Refusal> {
        Err(refuse(
            Layer::Template,
            RefusalCode::TemplateUnsupported,
            "llama_chat_apply_template returned -1",
        ))
    }
}
