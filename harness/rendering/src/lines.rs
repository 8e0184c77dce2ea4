//! Many requests, one JSON line each.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use prompt::{Compiled, TemplateError};
use serde_json::{Map, Value};

use crate::{Conversation, ConversationError, ErrorClass, Rendering};

/// Templates that are kept compiled; the oldest go first, all at once.
const MAX_KEPT: usize = 256;

/// One request: which template, and what it is given.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Comes back with the answer.
    pub id: Option<Value>,
    /// The template's own text.
    pub template: Option<String>,
    /// The path of a file that holds it.
    pub template_file: Option<String>,
    /// What it is given.
    pub conversation: Conversation,
}

/// Why a line is no request.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// What is left is no conversation.
    #[error(transparent)]
    Conversation(#[from] ConversationError),
    /// A field has the wrong type.
    #[error("`{0}` is no text")]
    NoText(&'static str),
}

impl Request {
    /// Reads a line: a conversation with `template` or `template_file`, and `id`, beside its variables.
    ///
    /// # Errors
    /// When it is no such thing.
    pub fn parse(line: &str) -> Result<Self, LineError> {
        let mut variables: Map<String, Value> =
            serde_json::from_str(line).map_err(ConversationError::from)?;
        let id = variables.swap_remove("id");
        let mut text = |name: &'static str| match variables.swap_remove(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(LineError::NoText(name)),
        };
        let (template, template_file) = (text("template")?, text("template_file")?);
        let conversation = Conversation::new(Value::Object(variables))?;
        Ok(Self { id, template, template_file, conversation })
    }
}

/// The minijinja engine, with the templates that it has read.
#[derive(Debug, Default)]
pub struct Renderer {
    kept: HashMap<u64, Kept>,
}

/// A template's text, which tells it from another one with the same hash, and what became of it.
type Kept = (String, Result<Compiled, TemplateError>);

impl Renderer {
    /// Renders `template`, as transformers' `render_jinja_template` would.
    pub fn render(&mut self, template: &str, conversation: Conversation) -> Rendering {
        match self.compiled(template) {
            Ok(compiled) => compiled.render(conversation.into_variables()).into(),
            Err(error) => Rendering::error(ErrorClass::of(error), error.to_string()),
        }
    }

    fn compiled(&mut self, template: &str) -> &Result<Compiled, TemplateError> {
        let mut hasher = DefaultHasher::new();
        template.hash(&mut hasher);
        let key = hasher.finish();
        if self.kept.get(&key).is_none_or(|(text, _)| text != template) {
            if self.kept.len() >= MAX_KEPT {
                self.kept.clear();
            }
            self.kept.insert(key, (template.to_owned(), Compiled::new(template)));
        }
        &self.kept[&key].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_template_and_a_conversation() {
        let line = r#"{"id": 7, "template": "{{ messages[0].content }}", "messages": [{"role": "user", "content": "Hi"}]}"#;
        let request = Request::parse(line).unwrap();
        assert_eq!(request.id, Some(7.into()));
        let mut renderer = Renderer::default();
        let template = request.template.unwrap();
        for _ in 0..2 {
            assert_eq!(
                renderer.render(&template, request.conversation.clone()),
                Rendering::Prompt("Hi".to_owned())
            );
        }
        assert_eq!(renderer.kept.len(), 1);
        let broken = renderer.render("{% if %}", request.conversation);
        assert!(matches!(broken, Rendering::Error(error) if error.class == ErrorClass::Syntax));
        assert!(
            Request::parse(r#"{"template": 1, "messages": []}"#)
                .unwrap_err()
                .to_string()
                .contains("`template`")
        );
    }
}
