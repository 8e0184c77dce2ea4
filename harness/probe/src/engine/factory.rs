//! A way to llama.cpp.

use std::{path::Path, rc::Rc};

use wire::{EngineKind, LoadConfig, Refusal};

use super::{BuiltinChat, Model};

/// A way to llama.cpp: it loads models.
pub trait Engine {
    /// Which one it is.
    fn kind(&self) -> EngineKind;

    /// Loads a model file.
    ///
    /// # Errors
    /// Where the file cannot be loaded, or the engine has no such switch.
    fn load(&self, path: &Path, config: &LoadConfig) -> Result<Rc<dyn Model>, Refusal>;

    /// Applies a template with `llama_chat_apply_template`, without a model.
    ///
    /// # Errors
    /// Where llama.cpp does not know the template (it returns −1), or the engine needs a model for it.
    fn apply_builtin(&self, chat: &BuiltinChat<'_>) -> Result<String, Refusal>;
}
