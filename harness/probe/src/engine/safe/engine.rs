//! The safe engine: loads models.

use std::{path::Path, rc::Rc, sync::OnceLock};

use llama_cpp_2::{
    llama_backend::LlamaBackend,
    model::{LlamaModel, params::LlamaModelParams},
};
use wire::{EngineKind, Layer, LoadConfig, LoadMode, Refusal, RefusalCode};

use super::model::SafeModel;
use crate::{
    engine::{BuiltinChat, Engine, Model},
    log,
    refuse::{load_refusal, refuse, unsupported},
};

/// llama-cpp-2.
#[derive(Debug)]
pub(crate) struct SafeEngine {
    cpu_only: bool,
}

impl SafeEngine {
    /// An engine; `cpu_only`: no other device may compute anything.
    pub(crate) const fn new(cpu_only: bool) -> Self {
        Self { cpu_only }
    }

    fn params(&self, config: &LoadConfig) -> Result<LlamaModelParams, Refusal> {
        let ours = LoadConfig { gpu_layers: config.gpu_layers, mode: config.mode, ..LoadConfig::default() };
        if *config != ours {
            let message = "llama-cpp-2 sets neither use_extra_bufts nor check_tensors; use the raw engine";
            return Err(unsupported(Layer::Load, message));
        }
        let mut params = LlamaModelParams::default().with_use_mmap(config.mode == LoadMode::Mmap);
        if self.cpu_only {
            params = params.with_devices(&[]).map_err(|error| failed(&error.to_string()))?;
        }
        match (config.gpu_layers, self.cpu_only) {
            (Some(layers), _) => Ok(params.with_n_gpu_layers(u32::try_from(layers).unwrap_or(u32::MAX))),
            (None, true) => Ok(params.with_n_gpu_layers(0)),
            (None, false) => Ok(params),
        }
    }
}

/// llama-cpp-2's proof that llama.cpp is ready; kept for the life of the process.
pub(super) fn backend() -> Result<&'static LlamaBackend, Refusal> {
    static BACKEND: OnceLock<Option<LlamaBackend>> = OnceLock::new();
    let backend = BACKEND.get_or_init(|| LlamaBackend::init().ok()).as_ref();
    backend.ok_or_else(|| failed("llama-cpp-2 could not initialise its backend"))
}

fn failed(message: &str) -> Refusal {
    refuse(Layer::Load, RefusalCode::LoadFailed, message)
}

impl Engine for SafeEngine {
    fn kind(&self) -> EngineKind {
        EngineKind::Safe
    }

    fn load(&self, path: &Path, config: &LoadConfig) -> Result<Rc<dyn Model>, Refusal> {
        if !path.exists() {
            return Err(failed(&format!("no such file: {}", path.display())));
        }
        let params = self.params(config)?;
        match LlamaModel::load_from_file(backend()?, path, &params) {
            Ok(model) => Ok(Rc::new(SafeModel::new(model, self.cpu_only))),
            Err(_) => Err(load_refusal(&log::problems())),
        }
    }

    fn apply_builtin(&self, _: &BuiltinChat<'_>) -> Result<String, Refusal> {
        Err(unsupported(Layer::Template, "llama-cpp-2 applies templates through a model only; name a model"))
    }
}
