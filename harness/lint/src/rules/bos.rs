//! BOS: exactly one.

use crate::preset::{Preset, user};
use crate::{Finding, LintCode, Vocabulary};

/// What the file says of BOS, and what llama.cpp makes of it.
pub(super) fn vocabulary(vocabulary: &Vocabulary, findings: &mut Vec<Finding>) {
    if vocabulary.adds_bos && vocabulary.bos_flag == Some(false) {
        let message =
            "tokenizer.ggml.add_bos_token is false; llama.cpp adds BOS all the same for this tokenizer";
        findings.push(Finding::new(LintCode::BosStaleFlag, message));
    }
}

/// How many BOS tokens a prompt gets.
pub(super) fn template(preset: &Preset<'_>, vocabulary: &Vocabulary, findings: &mut Vec<Finding>) {
    let Some(bos) = vocabulary.bos else { return };
    let Ok(prompt) = preset.prompt(&[user()], true, &[]) else { return };
    let written = !preset.bos.is_empty() && prompt.starts_with(preset.bos);
    let text = preset.bos;
    if written && vocabulary.adds_bos {
        let message = format!("the prompt begins with {text}, and the tokenizer puts another before it");
        findings.push(Finding::new(LintCode::BosTwice, message).of_token(bos));
    }
    if !written && !vocabulary.adds_bos && vocabulary.wants_bos {
        let message = format!(
            "the prompt does not begin with {text}, and tokenizer.ggml.add_bos_token is false; models of the architecture \
             \"{}\" with a \"{}\" tokenizer begin with it",
            vocabulary.architecture, vocabulary.model
        );
        findings.push(Finding::new(LintCode::BosMissing, message).of_token(bos));
    }
}
