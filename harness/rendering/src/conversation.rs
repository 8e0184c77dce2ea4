//! A conversation as apps send it.

use serde_json::{Map, Value};

/// What a template is given: the messages in OpenAI's form, and every further variable by its name.
///
/// In a file `{"messages": […], "add_generation_prompt": true, "enable_thinking": false, "tools": […], …}`, or the
/// bare list of messages.
#[derive(Clone, Debug, PartialEq)]
pub struct Conversation {
    variables: Map<String, Value>,
}

/// Why something is no conversation.
#[derive(Debug, thiserror::Error)]
pub enum ConversationError {
    /// It is no JSON.
    #[error("no JSON: {0}; give {{\"messages\": [{{\"role\": \"user\", \"content\": \"Hello\"}}]}}")]
    Json(#[from] serde_json::Error),
    /// It is JSON of another shape.
    #[error("{0}")]
    Shape(String),
}

impl Conversation {
    /// Reads the text of a messages file.
    ///
    /// # Errors
    /// When it is no JSON or no conversation: each says what to write instead.
    pub fn parse(text: &str) -> Result<Self, ConversationError> {
        Self::new(serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(text))?)
    }

    /// Makes one of JSON.
    ///
    /// # Errors
    /// When it is no conversation.
    pub fn new(value: Value) -> Result<Self, ConversationError> {
        let mut variables = match value {
            Value::Array(messages) => Map::from_iter([("messages".to_owned(), Value::Array(messages))]),
            Value::Object(variables) => variables,
            _ => return shape("neither an object with `messages` nor a list of messages"),
        };
        match variables.get("messages") {
            Some(Value::Array(messages)) => messages.iter().enumerate().try_for_each(message)?,
            Some(_) => return shape("`messages` is no list; give [{\"role\": …, \"content\": …}]"),
            None => return shape("`messages` is missing; give the list of messages there"),
        }
        match variables.entry("add_generation_prompt").or_insert(Value::Bool(true)) {
            Value::Bool(_) => {}
            _ => return shape("`add_generation_prompt` is neither true nor false"),
        }
        if !matches!(variables.get("tools"), None | Some(Value::Null | Value::Array(_))) {
            return shape("`tools` is no list; give OpenAI's [{\"type\": \"function\", \"function\": …}]");
        }
        Ok(Self { variables })
    }

    /// The messages, oldest first.
    pub fn messages(&self) -> &[Value] {
        self.variables["messages"].as_array().map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether the prompt is to end with the opening of the assistant's turn; yes where nothing is said.
    pub fn add_generation_prompt(&self) -> bool {
        self.variables["add_generation_prompt"].as_bool().unwrap_or(true)
    }

    /// Every variable, `messages` and `add_generation_prompt` among them.
    pub fn variables(&self) -> &Map<String, Value> {
        &self.variables
    }

    /// What a template of transformers sees: every variable, and in each message the thought under the names that
    /// templates look for (`reasoning_content`, `thinking`), whichever it was sent under.
    pub fn into_variables(mut self) -> Map<String, Value> {
        if let Some(Value::Array(messages)) = self.variables.get_mut("messages") {
            messages.iter_mut().filter_map(Value::as_object_mut).for_each(alias_thought);
        }
        self.variables
    }

    /// A variable.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.variables.get(name)
    }

    /// A variable that is text; empty where it is missing.
    pub fn text(&self, name: &str) -> &str {
        self.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// The same with another value of a variable.
    #[must_use]
    pub fn with(&self, name: &str, value: impl Into<Value>) -> Self {
        let mut variables = self.variables.clone();
        variables.insert(name.to_owned(), value.into());
        Self { variables }
    }

    /// The same with these variables where it has none of that name.
    #[must_use]
    pub fn or(&self, defaults: &[(&str, &str)]) -> Self {
        let mut variables = self.variables.clone();
        for (name, value) in defaults {
            variables.entry(*name).or_insert_with(|| (*value).into());
        }
        Self { variables }
    }
}

/// The names of a thought, the first that holds one counting: transformers' `_alias_reasoning_fields`.
fn alias_thought(message: &mut Map<String, Value>) {
    let names = ["reasoning_content", "thinking", "reasoning"];
    let Some(thought) = names.iter().find_map(|name| message.get(*name).filter(|value| !value.is_null()))
    else {
        return;
    };
    let thought = thought.clone();
    if !message.contains_key("thinking") {
        message.shift_insert(0, "thinking".to_owned(), thought.clone());
    }
    message.insert("reasoning_content".to_owned(), thought);
}

fn shape<T>(what: &str) -> Result<T, ConversationError> {
    Err(ConversationError::Shape(what.to_owned()))
}

fn message((index, message): (usize, &Value)) -> Result<(), ConversationError> {
    if message.get("role").is_some_and(Value::is_string) {
        return Ok(());
    }
    shape(&format!(
        "message {index} (counted from 0) has no `role`; give {{\"role\": \"user\", \"content\": \"Hello\"}}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read() {
        let whole =
            Conversation::parse(r#"{"messages": [{"role": "user", "content": "Hi"}], "x": 1}"#).unwrap();
        assert_eq!(
            (whole.messages().len(), whole.add_generation_prompt(), whole.get("x")),
            (1, true, Some(&1.into()))
        );
        let bare = Conversation::parse("\u{feff}[]").unwrap();
        assert!(bare.messages().is_empty());
        assert_eq!(bare.or(&[("bos_token", "<s>")]).text("bos_token"), "<s>");
        assert!(!bare.with("add_generation_prompt", false).add_generation_prompt());
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, expected) in [
            ("{", "no JSON: EOF while parsing"),
            ("1", "neither an object with `messages` nor a list"),
            ("{}", "`messages` is missing"),
            (r#"{"messages": {}}"#, "`messages` is no list"),
            (r#"[{"role": "user"}, {"content": "x"}]"#, "message 1 (counted from 0) has no `role`"),
            (r#"{"messages": [], "add_generation_prompt": 1}"#, "neither true nor false"),
            (r#"{"messages": [], "tools": {}}"#, "`tools` is no list"),
        ] {
            let error = Conversation::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
