//! The conversations that a template is tried on.

use prompt::{RenderInput, TemplateError, render};
use serde_json::{Map, Value};
use wire::Message;

use crate::Subject;

/// Said by the user, the assistant and the system: texts that no template writes by itself.
pub(crate) const USER: &str = "Please QUESTION-7 now";
/// See [`USER`].
pub(crate) const ANSWER: &str = "Surely ANSWER-7 then";
/// See [`USER`].
pub(crate) const SYSTEM: &str = "Always SYSTEM-7 first";
/// Stands for BOS and EOS where no vocabulary says what they are.
const BOS: &str = "\u{e000}bos\u{e001}";
/// See [`BOS`].
const EOS: &str = "\u{e000}eos\u{e001}";

/// One question.
pub(crate) fn user() -> Message {
    Message::new("user", USER)
}

/// An answer.
pub(crate) fn answer() -> Message {
    Message::new("assistant", ANSWER)
}

/// Instructions.
pub(crate) fn system() -> Message {
    Message::new("system", SYSTEM)
}

/// A template with what it is rendered with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Preset<'a> {
    pub(crate) template: &'a str,
    pub(crate) bos: &'a str,
    pub(crate) eos: &'a str,
}

impl<'a> Preset<'a> {
    /// The template of `subject`.
    pub(crate) fn of(subject: &'a Subject) -> Option<Self> {
        let template = subject.template.as_deref()?;
        let (bos, eos) = match &subject.vocabulary {
            Some(vocabulary) => (vocabulary.text_of(vocabulary.bos), vocabulary.text_of(vocabulary.eos)),
            None => (BOS, EOS),
        };
        Some(Self { template, bos, eos })
    }

    /// The prompt of `messages`.
    pub(crate) fn prompt(
        &self,
        messages: &[Message],
        add_generation_prompt: bool,
        variables: &[(&str, Value)],
    ) -> Result<String, TemplateError> {
        let variables: Map<String, Value> =
            variables.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let (bos_token, eos_token) = (self.bos, self.eos);
        render(
            self.template,
            &RenderInput { messages, add_generation_prompt, bos_token, eos_token, variables: &variables },
        )
    }
}
