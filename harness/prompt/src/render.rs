//! Messages to a prompt.

use std::io::{self, Write};

use minijinja::{Environment, Value, value::Serde};
use serde_json::Map;

use crate::{TemplateError, environment::environment, error::Full, source};

/// Steps that one rendering may take: instructions, and 64-byte blocks of text that it makes. Enough to trim, join
/// and write a prompt of [`MAX_PROMPT_BYTES`].
pub const FUEL: u64 = 1_000_000;

/// The longest prompt in bytes; a context of 262,144 tokens holds about 1 MiB of English.
pub const MAX_PROMPT_BYTES: usize = 8 * 1024 * 1024;

/// The name under which the engine knows the template.
const NAME: &str = "chat_template";

/// What a template sees.
#[derive(Clone, Copy, Debug)]
pub struct RenderInput<'a> {
    /// `messages`, oldest first, each with `role` and `content`.
    pub messages: &'a [wire::Message],
    /// `add_generation_prompt`.
    pub add_generation_prompt: bool,
    /// `bos_token`; empty where the model has none.
    pub bos_token: &'a str,
    /// `eos_token`; empty where the model has none.
    pub eos_token: &'a str,
    /// Further variables, for example `enable_thinking`. They may replace `bos_token`, `eos_token`, `tools` and
    /// `documents`, not `messages` and `add_generation_prompt`.
    pub variables: &'a Map<String, serde_json::Value>,
}

/// Renders `template` as transformers' `apply_chat_template` would, at [`crate::FROZEN_NOW`].
///
/// `tools` and `documents` are defined and none, as there. `{% generation %}` blocks render their body.
///
/// # Errors
/// When the template is no Jinja, fails, refuses, or passes one of this crate's limits.
pub fn render(template: &str, input: &RenderInput<'_>) -> Result<String, TemplateError> {
    Compiled::new(template)?.render(variables(input)?)
}

fn variables(input: &RenderInput<'_>) -> Result<Map<String, serde_json::Value>, TemplateError> {
    let mut all = Map::new();
    all.insert("bos_token".into(), input.bos_token.into());
    all.insert("eos_token".into(), input.eos_token.into());
    all.extend(input.variables.iter().map(|(name, value)| (name.clone(), value.clone())));
    let messages = input
        .messages
        .iter()
        .map(|message| serde_json::json!({ "role": message.role, "content": message.content }))
        .collect();
    for (name, value) in
        [("messages", messages), ("add_generation_prompt", input.add_generation_prompt.into())]
    {
        if all.insert(name.into(), value).is_some() {
            return Err(TemplateError::Reserved { name: name.into() });
        }
    }
    Ok(all)
}

/// A template that was read once and renders many conversations.
#[derive(Debug)]
pub struct Compiled {
    environment: Environment<'static>,
}

impl Compiled {
    /// Reads `template`.
    ///
    /// # Errors
    /// When it is no Jinja, or too complex to be read safely.
    pub fn new(template: &str) -> Result<Self, TemplateError> {
        let source = source::prepare(template)?;
        let mut environment = environment().map_err(|error| TemplateError::from_engine(&error))?;
        environment.add_template_owned(NAME, source).map_err(|error| TemplateError::from_engine(&error))?;
        Ok(Self { environment })
    }

    /// Renders it with `variables`, of which `messages` is one, as transformers' `render_jinja_template` would, at
    /// [`crate::FROZEN_NOW`]. `tools` and `documents` are defined and none where they are left out, as there.
    ///
    /// # Errors
    /// When the template fails, refuses, or passes one of this crate's limits.
    pub fn render(&self, mut variables: Map<String, serde_json::Value>) -> Result<String, TemplateError> {
        for name in ["tools", "documents"] {
            variables.entry(name).or_insert(serde_json::Value::Null);
        }
        self.run(Value::from(Serde(variables))).map_err(|error| TemplateError::from_engine(&error))
    }

    fn run(&self, context: Value) -> Result<String, minijinja::Error> {
        let mut output = Bounded::default();
        self.environment.get_template(NAME)?.render_captured_to(context, &mut output)?;
        Ok(String::from_utf8_lossy(&output.0).into_owned())
    }
}

/// Output that refuses to grow past [`MAX_PROMPT_BYTES`].
#[derive(Default)]
struct Bounded(Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_PROMPT_BYTES {
            return Err(io::Error::other(Full(MAX_PROMPT_BYTES)));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
