//! What a model says wrongly of its template, its tokens and their end.

use std::cell::Cell;

use wire::{LoadEvidence, Refusal};

use super::Fault;
use crate::engine::Model;

/// ChatML, as llama.cpp falls back to it.
const CHATML: &str = "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}\
                      {% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";
/// Mistral's instructions, for whoever speaks ChatML.
const INSTRUCT: &str = "{{ bos_token }}{% for m in messages %}{% if m.role == 'user' %}\
                        {{ '[INST] ' + m.content + ' [/INST]' }}{% else %}{{ m.content + eos_token }}\
                        {% endif %}{% endfor %}";

/// Changes what a model says. Where a fault has nothing to do with it, everything passes as it is.
#[derive(Debug)]
pub(super) struct PromptFault {
    fault: Fault,
    /// Whether the token asked about last ends generation.
    ended: Cell<bool>,
}

impl PromptFault {
    /// What `fault` does to a model's words.
    pub(super) const fn new(fault: Fault) -> Self {
        Self { fault, ended: Cell::new(false) }
    }

    /// What loading shows.
    pub(super) fn evidence(&self, mut evidence: LoadEvidence) -> LoadEvidence {
        match self.fault {
            Fault::TemplateMissing => evidence.template = None,
            Fault::TemplateForeign => {
                let own = evidence.template.unwrap_or_default();
                let other = if own.contains("<|im_start|>") { INSTRUCT } else { CHATML };
                evidence.template = Some(other.to_owned());
            }
            _ => {}
        }
        evidence.template_bytes = evidence.template.as_ref().map(String::len);
        evidence
    }

    /// Text to tokens.
    pub(super) fn tokenize(
        &self,
        model: &dyn Model,
        text: &str,
        add_special: bool,
        parse_special: bool,
    ) -> Result<Vec<i32>, Refusal> {
        match self.fault {
            Fault::DoubleBos if add_special => {
                let bos = model.evidence().bos;
                let bos = if bos < 0 { Vec::new() } else { model.piece(bos, true) };
                let text = String::from_utf8_lossy(&bos).into_owned() + text;
                model.tokenize(&text, add_special, true)
            }
            Fault::NoBos => model.tokenize(text, false, parse_special),
            Fault::SpecialAsText => model.tokenize(text, add_special, false),
            _ => model.tokenize(text, add_special, parse_special),
        }
    }

    /// Whether a token ends generation; `ends` is the truth.
    pub(super) fn is_eog(&self, ends: bool) -> bool {
        match self.fault {
            Fault::EogForgotten => false,
            Fault::StopLate => self.ended.replace(ends),
            _ => ends,
        }
    }
}
