//! What a template does with the simplest conversations.

use prompt::TemplateError;

use crate::preset::{ANSWER, Preset, SYSTEM, USER, answer, system, user};
use crate::shapes::{line, trick};
use crate::{Finding, LintCode};

/// Whether one user message renders; tricks are looked for in any case.
pub(super) fn renders(preset: &Preset<'_>, findings: &mut Vec<Finding>) -> bool {
    if let Some((name, at)) = trick(preset.template) {
        let line = line(preset.template, at);
        let message = format!("line {line} uses {name}, for which a chat template has no honest use");
        findings.push(Finding::new(LintCode::TemplateRunsCode, message).at_line(line));
    }
    let Err(error) = preset.prompt(&[user()], true, &[]) else { return true };
    let bytes = preset.template.len();
    if ends_amid(&error) {
        let last = preset.template.trim_end().lines().count();
        let message = format!("after {bytes} bytes a tag or a block is still open: {error}");
        findings.push(Finding::new(LintCode::TemplateCutShort, message).at_line(last));
    } else {
        let message = format!("one user message does not render: {error}");
        let finding = Finding::new(LintCode::TemplateUnrenderable, message);
        findings.push(finding.at_line(line_of(&error)));
    }
    false
}

/// Whether the parser came to the end where it expected more.
fn ends_amid(error: &TemplateError) -> bool {
    let TemplateError::Syntax { detail, .. } = error else { return false };
    ["unexpected end", "end of input", "unclosed", "EOF"].iter().any(|part| detail.contains(part))
}

fn line_of(error: &TemplateError) -> usize {
    match error {
        TemplateError::Syntax { line, .. }
        | TemplateError::Raised { line, .. }
        | TemplateError::Failed { line, .. }
        | TemplateError::Endless { line, .. }
        | TemplateError::TooComplex { line, .. } => *line,
        _ => 0,
    }
}

/// Whether a prompt needs nothing to open the assistant's turn: what follows the question is not just the beginning of
/// what stands before an answer. So it is with Mistral, whose `[/INST]` ends the question, and where the template opens
/// the turn in any case.
fn is_open(preset: &Preset<'_>) -> bool {
    let prompts = (preset.prompt(&[user()], true, &[]), preset.prompt(&[user(), answer()], false, &[]));
    let (Ok(question), Ok(both)) = prompts else { return false };
    let Some((_, after)) = question.rsplit_once(USER) else { return false };
    let between = both.split_once(USER).and_then(|(_, rest)| rest.split_once(ANSWER));
    between.is_some_and(|(between, _)| {
        let rest = between.trim_end().strip_prefix(after.trim_end());
        rest.is_none_or(str::is_empty)
    })
}

/// Generation prompt, system message, history.
pub(super) fn judge(preset: &Preset<'_>, findings: &mut Vec<Finding>) {
    let with = |messages: &[wire::Message], generation| preset.prompt(messages, generation, &[]);
    if with(&[user()], true) == with(&[user()], false) && !is_open(preset) {
        let message = "the prompt is the same with and without add_generation_prompt";
        findings.push(Finding::new(LintCode::NoGenerationPrompt, message));
    }
    match with(&[system(), user()], true) {
        Err(error) => {
            let finding = Finding::new(LintCode::SystemRefused, error.to_string());
            findings.push(finding.at_line(line_of(&error)));
        }
        Ok(prompt) if !prompt.contains(SYSTEM) => {
            let message = "a system message before the first user message leaves no trace in the prompt";
            findings.push(Finding::new(LintCode::SystemLost, message));
        }
        Ok(_) => {}
    }
    if with(&[user(), answer(), user()], true).is_ok_and(|prompt| !prompt.contains(ANSWER)) {
        let message = "an answer between two user messages leaves no trace in the prompt";
        findings.push(Finding::new(LintCode::HistoryLost, message));
    }
}
