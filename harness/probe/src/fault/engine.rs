//! An engine that loads broken models.

use std::{path::Path, rc::Rc};

use wire::{EngineKind, LoadConfig, Refusal};

use super::{Fault, damage::damaged, meter::Meter, model::FaultyModel};
use crate::engine::{BuiltinChat, Engine, Model};

/// What a wrapper that never sets the number of layers, or sets it too late, really loads with.
fn misread(fault: Fault, config: &LoadConfig) -> LoadConfig {
    let gpu_layers = if fault == Fault::CpuInsteadOfGpu { Some(0) } else { config.gpu_layers };
    LoadConfig { gpu_layers, ..config.clone() }
}

/// A broken engine.
pub(super) struct FaultyEngine {
    engine: Box<dyn Engine>,
    fault: Fault,
    meter: Meter,
}

impl FaultyEngine {
    /// `engine` under `fault`.
    pub(super) fn new(engine: Box<dyn Engine>, fault: Fault, meter: Meter) -> Self {
        Self { engine, fault, meter }
    }
}

impl Engine for FaultyEngine {
    fn kind(&self) -> EngineKind {
        self.engine.kind()
    }

    fn load(&self, path: &Path, config: &LoadConfig) -> Result<Rc<dyn Model>, Refusal> {
        let config = &misread(self.fault, config);
        let sound = self.engine.load(path, config)?;
        let model = match damaged(self.fault, path)? {
            // Removed once loaded: whoever has mapped it keeps it.
            Some(copy) => self.engine.load(copy.path(), config)?,
            None => Rc::clone(&sound),
        };
        Ok(Rc::new(FaultyModel::new(model, sound, self.fault, self.meter.clone())))
    }

    fn apply_builtin(&self, chat: &BuiltinChat<'_>) -> Result<String, Refusal> {
        self.engine.apply_builtin(chat)
    }
}
