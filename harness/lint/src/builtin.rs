//! What `llama_chat_apply_template` makes of the template: whoever has a probe asks it, this room compares.

use wire::Message;

use crate::preset::{Preset, answer, system, user};
use crate::{Finding, LintCode};

/// The conversations to ask the built-in matcher: their prompts, with the generation prompt.
pub fn builtin_questions() -> Vec<Vec<Message>> {
    vec![vec![user()], vec![system(), user()], vec![user(), answer(), user()]]
}

/// What it said to one of [`builtin_questions`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuiltinAnswer {
    /// A prompt.
    Prompt(String),
    /// It knows no such template.
    Refused,
}

/// What it said to all of them, in order; or why nobody asked.
pub type BuiltinAnswers = Result<Vec<BuiltinAnswer>, String>;

/// Compares the answers with Jinja's prompts. A leading BOS makes no difference: it never writes one.
pub(crate) fn judge(preset: &Preset<'_>, answers: &[BuiltinAnswer], findings: &mut Vec<Finding>) {
    let mut differ = Vec::new();
    for (messages, answer) in builtin_questions().iter().zip(answers) {
        let BuiltinAnswer::Prompt(theirs) = answer else {
            let message = "llama_chat_apply_template returns -1 for this template";
            findings.push(Finding::new(LintCode::BuiltinRefuses, message));
            return;
        };
        // Where Jinja refuses, the built-in one has nothing to be compared with.
        let Ok(ours) = preset.prompt(messages, true, &[]) else { continue };
        let without =
            |prompt: &str| -> String { prompt.strip_prefix(preset.bos).unwrap_or(prompt).to_owned() };
        let (ours, theirs) = (without(&ours), without(theirs));
        if ours != theirs {
            let roles: Vec<&str> = messages.iter().map(|message| message.role.as_str()).collect();
            differ.push((roles.join(", "), first_difference(&ours, &theirs)));
        }
    }
    if let [(roles, difference), ..] = &differ[..] {
        let message = format!(
            "{} of {} conversations come out differently, first that of {roles}: {difference}",
            differ.len(),
            answers.len()
        );
        findings.push(Finding::new(LintCode::BuiltinDiffers, message));
    } else if switches(preset) {
        let message =
            "llama_chat_apply_template takes no variables: enable_thinking cannot be set through it";
        findings.push(Finding::new(LintCode::BuiltinDiffers, message));
    }
}

/// Whether the variable that most families have changes the prompt.
fn switches(preset: &Preset<'_>) -> bool {
    let with = |on: bool| preset.prompt(&[user()], true, &[("enable_thinking", on.into())]);
    preset.template.contains("enable_thinking") && with(true) != with(false)
}

/// Where two prompts part, and how they go on.
fn first_difference(ours: &str, theirs: &str) -> String {
    let same: usize =
        ours.chars().zip(theirs.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let next = |text: &str| -> String {
        let rest: String = text[same..].chars().take(24).collect();
        if rest.is_empty() { "nothing more".to_owned() } else { format!("{rest:?}") }
    };
    format!("from byte {same} Jinja writes {} and the built-in one {}", next(ours), next(theirs))
}
