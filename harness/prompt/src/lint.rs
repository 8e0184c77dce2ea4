//! What commonly goes wrong with a chat template, seen without a model.

use serde_json::Map;
use wire::Message;

use crate::{RenderInput, render};

/// Something to know about a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lint {
    /// What it is; stable.
    pub code: LintCode,
    /// What it means, and what to do.
    pub message: &'static str,
}

/// Kinds of [`Lint`]; their names are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LintCode {
    /// The template does not render one user message.
    Unrenderable,
    /// The prompt begins with BOS.
    WritesBos,
    /// `add_generation_prompt` changes nothing.
    NoGenerationPrompt,
    /// `enable_thinking` changes nothing.
    NoThinkingSwitch,
}

impl LintCode {
    /// The name used in messages and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unrenderable => "template-unrenderable",
            Self::WritesBos => "template-writes-bos",
            Self::NoGenerationPrompt => "template-no-generation-prompt",
            Self::NoThinkingSwitch => "template-no-thinking-switch",
        }
    }

    const fn message(self) -> &'static str {
        match self {
            Self::Unrenderable => "one user message does not render; show the user the template's own error",
            Self::WritesBos => "the template writes BOS; tokenise its prompts without adding another",
            Self::NoGenerationPrompt => {
                "the prompt does not open the assistant's turn; the model may go on as the user"
            }
            Self::NoThinkingSwitch => {
                "enable_thinking changes nothing; thinking can't be switched with this template"
            }
        }
    }
}

/// Reads `template` by rendering it. `bos` is the text of the model's BOS token, empty for none.
pub fn lint(template: &str, bos: &str) -> Vec<Lint> {
    codes(template, bos).into_iter().map(|code| Lint { code, message: code.message() }).collect()
}

fn codes(template: &str, bos: &str) -> Vec<LintCode> {
    let render = |add_generation_prompt, thinking: Option<bool>| {
        let variables =
            thinking.map(|on| ("enable_thinking".to_owned(), on.into())).into_iter().collect::<Map<_, _>>();
        let messages = [Message::new("user", "Hello")];
        let input = RenderInput {
            messages: &messages,
            add_generation_prompt,
            bos_token: bos,
            eos_token: "",
            variables: &variables,
        };
        render(template, &input).ok()
    };
    let Some(prompt) = render(true, None) else {
        return vec![LintCode::Unrenderable];
    };
    let mut codes = Vec::new();
    if !bos.is_empty() && prompt.starts_with(bos) {
        codes.push(LintCode::WritesBos);
    }
    if render(false, None).as_ref() == Some(&prompt) {
        codes.push(LintCode::NoGenerationPrompt);
    }
    if render(true, Some(true)) == render(true, Some(false)) {
        codes.push(LintCode::NoThinkingSwitch);
    }
    codes
}
