//! What llama.cpp's built-in templates are applied to.

use wire::Message;

/// The arguments of `llama_chat_apply_template`.
#[derive(Clone, Copy, Debug)]
pub struct BuiltinChat<'a> {
    /// A template that llama.cpp may recognise by its substrings.
    pub template: &'a str,
    /// The messages, oldest first.
    pub messages: &'a [Message],
    /// Whether the prompt ends with the opening of the assistant's turn.
    pub add_generation_prompt: bool,
}
