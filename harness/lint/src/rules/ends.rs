//! End of generation: which tokens the file means, which llama.cpp takes, and what the template writes.

use crate::preset::{ANSWER, Preset, answer, user};
use crate::vocabulary::Kind;
use crate::{Finding, LintCode, Vocabulary};

/// The ends that the file names against those that llama.cpp takes.
pub(super) fn vocabulary(vocabulary: &Vocabulary, findings: &mut Vec<Finding>) {
    if vocabulary.eos.is_none() {
        let fallback = match vocabulary.model.as_str() {
            "gpt2" => format!("; llama.cpp takes token 11, {:?}, for it", vocabulary.text(11)),
            "llama" => format!("; llama.cpp takes token 2, {:?}, for it", vocabulary.text(2)),
            _ => String::new(),
        };
        let message = format!("tokenizer.ggml.eos_token_id is not there, or beyond the vocabulary{fallback}");
        findings.push(Finding::new(LintCode::EogMissing, message));
    }
    for &id in &vocabulary.eog {
        let (text, kind) = (vocabulary.text(id), vocabulary.kind(id));
        let named = vocabulary.named_ends.contains(&id);
        if named && matches!(kind, Kind::Normal | Kind::UserDefined) {
            let message = format!("token {id}, {text:?}, ends generation and is marked as {}", marked(kind));
            findings.push(Finding::new(LintCode::EogUnmarked, message).of_token(id));
        }
        if !named && kind != Kind::Control && Vocabulary::ends_by_text(text) {
            let message = format!(
                "llama.cpp ends generation at token {id}, {text:?}, for its text; the file marks it as {}",
                marked(kind)
            );
            findings.push(Finding::new(LintCode::EogExtra, message).of_token(id));
        }
    }
}

const fn marked(kind: Kind) -> &'static str {
    match kind {
        Kind::Normal => "an ordinary token",
        Kind::UserDefined => "a user-defined token",
        Kind::Control => "a control token",
        Kind::Other => "an unknown, unused or byte token",
    }
}

/// What the template writes after an answer.
pub(super) fn turn(preset: &Preset<'_>, vocabulary: Option<&Vocabulary>, findings: &mut Vec<Finding>) {
    let Ok(prompt) = preset.prompt(&[user(), answer()], false, &[]) else { return };
    let Some((_, after)) = prompt.rsplit_once(ANSWER) else { return };
    let after = after.trim_start();
    if after.is_empty() {
        let message = "the prompt of a question and its answer ends with the answer";
        findings.push(Finding::new(LintCode::TurnEndMissing, message));
        return;
    }
    let Some(vocabulary) = vocabulary else { return };
    let Some(id) = vocabulary.special_at(after) else { return };
    if !vocabulary.eog.contains(&id) {
        let ends: Vec<String> =
            vocabulary.eog.iter().map(|id| format!("{:?}", vocabulary.text(*id))).collect();
        let message = format!(
            "the template ends an answer with {:?}, token {id}; llama.cpp ends generation at {}",
            vocabulary.text(id),
            if ends.is_empty() { "no token at all".to_owned() } else { ends.join(", ") }
        );
        findings.push(Finding::new(LintCode::TurnEndNotEog, message).of_token(id));
    }
}
