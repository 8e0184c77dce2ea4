//! Control tokens that a template writes: does the vocabulary know them?

use crate::preset::{Preset, answer, system, user};
use crate::shapes::controls;
use crate::vocabulary::Kind;
use crate::{Finding, LintCode, Vocabulary};

/// Looks up each control token of a conversation's prompt.
pub(super) fn judge(preset: &Preset<'_>, vocabulary: &Vocabulary, findings: &mut Vec<Finding>) {
    let prompts = [vec![user(), answer(), user()], vec![system(), user()]];
    let prompts: Vec<String> =
        prompts.iter().filter_map(|messages| preset.prompt(messages, true, &[]).ok()).collect();
    let mut seen: Vec<&str> = Vec::new();
    for text in prompts.iter().flat_map(|prompt| controls(prompt)) {
        if seen.contains(&text) {
            continue;
        }
        seen.push(text);
        match vocabulary.token(text) {
            None => {
                let message = format!("the template writes {text}, which is no token of this vocabulary");
                findings.push(Finding::new(LintCode::ControlNotAToken, message));
            }
            Some(id) if vocabulary.kind(id) == Kind::Normal && !Vocabulary::ends_by_text(text) => {
                let message = format!("the template writes {text}; token {id} is marked as an ordinary one");
                findings.push(Finding::new(LintCode::ControlUnmarked, message).of_token(id));
            }
            Some(_) => {}
        }
    }
}
