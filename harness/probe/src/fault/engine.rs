//! An engine that loads broken models.

use std::{path::Path, rc::Rc};

use wire::{EngineKind, LoadConfig, Refusal};

use super::{Fault, damage::damaged, meter::Meter, model::FaultyModel};
use crate::engine::{BuiltinChat, Engine, Model};

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
