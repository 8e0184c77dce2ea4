//! The raw engine: loads models.

use std::{path::Path, rc::Rc};

use llama_cpp_sys_2 as sys;
use wire::{EngineKind, Layer, LoadConfig, Refusal, Weights};

use super::{drawn, init, model::RawModel, params, template, text::c_string};
use crate::{
    engine::{BuiltinChat, Engine, Model},
    log,
    refuse::{bad_request, load_refusal},
};

/// llama.cpp by its C interface.
#[derive(Debug)]
pub(crate) struct RawEngine {
    cpu_only: bool,
}

impl RawEngine {
    /// An engine; `cpu_only`: no other device may compute anything.
    pub(crate) fn new(cpu_only: bool) -> Self {
        init();
        Self { cpu_only }
    }
}

impl Engine for RawEngine {
    fn kind(&self) -> EngineKind {
        EngineKind::Raw
    }

    fn load(&self, path: &Path, config: &LoadConfig) -> Result<Rc<dyn Model>, Refusal> {
        let path = path.to_str().ok_or_else(|| bad_request(Layer::Load, "the model's path is not UTF-8"))?;
        let path = c_string(Layer::Load, path)?;
        let mut devices = params::NO_DEVICES;
        let params = params::model(config, self.cpu_only, &mut devices);
        // SAFETY: the device list outlives the call, which copies it.
        let model = unsafe {
            match config.weights {
                Weights::File => sys::llama_model_load_from_file(path.as_ptr(), params),
                Weights::Drawn => drawn::draw(&path, params)?,
                Weights::Saved => drawn::draw_and_save(&path, params)?,
            }
        };
        match RawModel::new(model, self.cpu_only) {
            Some(model) => Ok(Rc::new(model)),
            None => Err(load_refusal(&log::problems())),
        }
    }

    fn apply_builtin(&self, chat: &BuiltinChat<'_>) -> Result<String, Refusal> {
        template::apply(chat)
    }
}
