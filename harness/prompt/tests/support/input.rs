//! An input with nothing in it but messages and variables.

use prompt::RenderInput;
use serde_json::{Map, Value};
use wire::Message;

/// An input without tokens or variables that asks for a generation prompt.
pub(crate) fn input<'a>(messages: &'a [Message], variables: &'a Map<String, Value>) -> RenderInput<'a> {
    RenderInput { messages, add_generation_prompt: true, bos_token: "", eos_token: "", variables }
}
