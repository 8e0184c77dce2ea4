//! A model whose words, or whose contexts, are broken.

use std::{collections::BTreeMap, rc::Rc};

use wire::{ContextConfig, FlashAttention, KvType, LoadEvidence, Refusal, TokenKind};

use super::{Fault, context::FaultyContext, disturbance::Disturbance, meter::Meter, prompt::PromptFault};
use crate::engine::{BuiltinChat, Context, Model};

/// A broken model.
pub(super) struct FaultyModel {
    model: Rc<dyn Model>,
    /// The model as it should be; the same one unless the file was damaged.
    sound: Rc<dyn Model>,
    fault: Fault,
    prompt: PromptFault,
    meter: Meter,
}

impl FaultyModel {
    /// `model` under `fault`; `sound` is what it should be.
    pub(super) fn new(model: Rc<dyn Model>, sound: Rc<dyn Model>, fault: Fault, meter: Meter) -> Self {
        Self { model, sound, fault, prompt: PromptFault::new(fault), meter }
    }
}

impl Model for FaultyModel {
    fn evidence(&self) -> LoadEvidence {
        self.prompt.evidence(self.model.evidence())
    }

    fn metadata(&self) -> BTreeMap<String, String> {
        self.model.metadata()
    }

    fn tokenize(&self, text: &str, add_special: bool, parse_special: bool) -> Result<Vec<i32>, Refusal> {
        self.prompt.tokenize(self.model.as_ref(), text, add_special, parse_special)
    }

    fn text(&self, id: i32) -> String {
        self.model.text(id)
    }

    fn piece(&self, id: i32, special: bool) -> Vec<u8> {
        self.model.piece(id, special)
    }

    fn kind(&self, id: i32) -> TokenKind {
        self.model.kind(id)
    }

    fn is_eog(&self, id: i32) -> bool {
        self.prompt.is_eog(self.model.is_eog(id))
    }

    fn add_eos(&self) -> bool {
        self.model.add_eos()
    }

    fn apply_builtin(&self, chat: &BuiltinChat<'_>) -> Result<String, Refusal> {
        self.model.apply_builtin(chat)
    }

    fn context(self: Rc<Self>, config: &ContextConfig) -> Result<Box<dyn Context>, Refusal> {
        let Some(disturbance) = Disturbance::of(self.fault, &self.model.evidence().eog) else {
            return Rc::clone(&self.model).context(config);
        };
        let broken = Rc::clone(&self.model).context(&broken_config(self.fault, config))?;
        let sound = Rc::clone(&self.sound).context(config)?;
        Ok(Box::new(FaultyContext::new(broken, sound, disturbance, self.meter.clone())))
    }
}

fn broken_config(fault: Fault, config: &ContextConfig) -> ContextConfig {
    let q4 = ContextConfig {
        type_k: KvType::Q4_0,
        type_v: KvType::Q4_0,
        // A quantised V cache needs it.
        flash_attention: FlashAttention::On,
        ..config.clone()
    };
    if fault == Fault::KvQ4 { q4 } else { config.clone() }
}
