//! What llama.cpp's own Jinja engine is applied to.

use serde_json::{Map, Value};
use wire::Refusal;

/// The arguments of `common_chat_templates_apply`.
#[cfg_attr(not(feature = "jinja"), expect(dead_code, reason = "only the engine reads them"))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct JinjaChat<'a> {
    /// A Jinja template.
    pub(crate) template: &'a str,
    /// The messages in OpenAI's form, oldest first.
    pub(crate) messages: &'a [Value],
    /// `bos_token`.
    pub(crate) bos_token: &'a str,
    /// `eos_token`.
    pub(crate) eos_token: &'a str,
    /// Further template variables, `tools` among them.
    pub(crate) variables: &'a Map<String, Value>,
    /// Whether the prompt ends with the opening of the assistant's turn.
    pub(crate) add_generation_prompt: bool,
}

/// Applies a template with llama.cpp's own Jinja engine, which needs no model.
///
/// # Errors
/// Where the template is no Jinja, fails or refuses, llama.cpp does not take the messages, or this probe was built
/// without the engine.
#[cfg(feature = "jinja")]
pub(crate) fn apply_jinja(chat: &JinjaChat<'_>) -> Result<String, Refusal> {
    super::raw::jinja::apply(chat)
}

/// There is none in this probe.
#[cfg(not(feature = "jinja"))]
pub(crate) fn apply_jinja(chat: &JinjaChat<'_>) -> Result<String, Refusal> {
    let message = format!(
        "this probe was built without llama.cpp's Jinja engine, so it cannot read this template of {} bytes; ask the \
         backend cpu",
        chat.template.len()
    );
    Err(crate::refuse::unsupported(wire::Layer::Template, message))
}
