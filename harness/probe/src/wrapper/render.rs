//! Messages to prompt.

use prompt::{Compiled, Origin, RenderInput, Rendered, Segment, TemplateError};
use serde_json::{Map, Value, json};
use wire::{Chat, Layer, LoadEvidence, Message, Refusal, RefusalCode, TemplateEngine};

use super::Loaded;
use crate::{
    engine::{BuiltinChat, Engine, JinjaChat, apply_jinja},
    refuse::refuse,
};

/// Where a template and what it needs come from.
pub(crate) struct TemplateSource<'a> {
    /// The engine, for its built-in template matcher.
    pub(crate) engine: &'a dyn Engine,
    /// The model, where the request names one.
    pub(crate) loaded: Option<&'a Loaded>,
}

/// Renders `messages` (not `chat.messages`: a conversation brings its own).
pub(crate) fn render(
    source: &TemplateSource<'_>,
    chat: &Chat,
    messages: &[Message],
) -> Result<Rendered, Refusal> {
    let own = source.loaded.and_then(|loaded| loaded.facts.template.as_deref());
    let template = chat.template.as_deref().or(own).ok_or_else(no_template)?;
    if !chat.openai_messages.is_empty() {
        return Ok(Rendered { prompt: whole(source, template, chat)?, segments: None });
    }
    match chat.engine {
        TemplateEngine::Minijinja => minijinja(source, template, chat, messages),
        TemplateEngine::Builtin | TemplateEngine::Jinja => {
            let apply = |messages: &[Message]| plain(source, template, chat, messages);
            let prompt = apply(messages)?;
            let segments = trace(&prompt, messages, apply)?;
            Ok(Rendered { prompt, segments })
        }
    }
}

/// Renders with one of llama.cpp's own engines.
fn plain(
    source: &TemplateSource<'_>,
    template: &str,
    chat: &Chat,
    messages: &[Message],
) -> Result<String, Refusal> {
    let add_generation_prompt = chat.generation_prompt();
    if chat.engine == TemplateEngine::Builtin {
        return builtin(source, &BuiltinChat { template, messages, add_generation_prompt });
    }
    let open = |message: &Message| json!({ "role": message.role, "content": message.content });
    jinja(source, template, chat, &messages.iter().map(open).collect::<Vec<_>>())
}

/// Renders messages in OpenAI's full form. Which parts of the prompt came from them stays unknown.
fn whole(source: &TemplateSource<'_>, template: &str, chat: &Chat) -> Result<String, Refusal> {
    let messages = &chat.openai_messages;
    match chat.engine {
        TemplateEngine::Minijinja => {
            let mut variables = Map::new();
            variables.insert("bos_token".into(), special(source, |facts| facts.bos).into());
            variables.insert("eos_token".into(), special(source, |facts| facts.eos).into());
            variables.extend(chat.variables.clone());
            variables.insert("messages".into(), messages.clone().into());
            variables.insert("add_generation_prompt".into(), chat.generation_prompt().into());
            Compiled::new(template)
                .and_then(|compiled| compiled.render(variables))
                .map_err(|error| template_error(&error))
        }
        TemplateEngine::Builtin => {
            let messages: Vec<Message> = messages.iter().map(flattened).collect();
            plain(source, template, chat, &messages)
        }
        TemplateEngine::Jinja => jinja(source, template, chat, messages),
    }
}

/// A message as llama.cpp's callers give it to the built-in templates, which know role and text: the text parts of its
/// content, a line each.
fn flattened(message: &Value) -> Message {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let parts = message["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    let parts: Vec<&str> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
    let content = if parts.is_empty() { text(&message["content"]) } else { parts.join("\n") };
    Message::new(text(&message["role"]), content)
}

fn jinja(
    source: &TemplateSource<'_>,
    template: &str,
    chat: &Chat,
    messages: &[Value],
) -> Result<String, Refusal> {
    let mut variables = chat.variables.clone();
    let mut token = |name: &str, pick: fn(&LoadEvidence) -> i32| match variables.shift_remove(name) {
        Some(Value::String(text)) => text,
        _ => special(source, pick),
    };
    let (bos_token, eos_token) =
        (&token("bos_token", |facts| facts.bos), &token("eos_token", |facts| facts.eos));
    let (variables, add_generation_prompt) = (&variables, chat.generation_prompt());
    apply_jinja(&JinjaChat { template, messages, bos_token, eos_token, variables, add_generation_prompt })
}

/// The text of a special token of the model, empty where there is none.
fn special(source: &TemplateSource<'_>, pick: fn(&LoadEvidence) -> i32) -> String {
    source.loaded.map(|loaded| loaded.special_text(pick(&loaded.facts))).unwrap_or_default()
}

fn minijinja(
    source: &TemplateSource<'_>,
    template: &str,
    chat: &Chat,
    messages: &[Message],
) -> Result<Rendered, Refusal> {
    let input = RenderInput {
        messages,
        add_generation_prompt: chat.generation_prompt(),
        bos_token: &special(source, |facts| facts.bos),
        eos_token: &special(source, |facts| facts.eos),
        variables: &chat.variables,
    };
    prompt::render_segments(template, &input).map_err(|error| template_error(&error))
}

fn builtin(source: &TemplateSource<'_>, chat: &BuiltinChat<'_>) -> Result<String, Refusal> {
    match source.loaded {
        Some(loaded) => loaded.clock.time(|| loaded.model.apply_builtin(chat)),
        None => source.engine.apply_builtin(chat),
    }
}

/// Finds which parts of a rendering by one of llama.cpp's engines came from the messages.
///
/// The built-in templates never look into a message, they only trim some, and few others do. So each message is replaced by a
/// marker, the result rendered, and cut at the markers; where putting the messages back does not give `prompt`,
/// the parts stay unknown.
fn trace(
    prompt: &str,
    messages: &[Message],
    apply: impl Fn(&[Message]) -> Result<String, Refusal>,
) -> Result<Option<Vec<Segment>>, Refusal> {
    let marker = |index: usize| format!("\u{f0000}{index}\u{f0001}");
    let marked: Vec<Message> = messages
        .iter()
        .enumerate()
        .map(|(index, message)| Message::new(message.role.clone(), marker(index)))
        .collect();
    let rendered = apply(&marked)?;
    let restore = |content: fn(&str) -> &str| {
        let mut segments = Vec::new();
        let mut rest = rendered.as_str();
        for (index, message) in messages.iter().enumerate() {
            let Some((before, after)) = rest.split_once(&marker(index)) else { continue };
            segments.push(Segment { text: before.to_owned(), origin: Origin::Template });
            segments.push(Segment { text: content(&message.content).to_owned(), origin: Origin::Message });
            rest = after;
        }
        segments.push(Segment { text: rest.to_owned(), origin: Origin::Template });
        segments.retain(|segment| !segment.text.is_empty());
        (segments.iter().map(|segment| segment.text.as_str()).collect::<String>() == prompt)
            .then_some(segments)
    };
    Ok(restore(|text| text).or_else(|| restore(str::trim)))
}

fn no_template() -> Refusal {
    refuse(
        Layer::Template,
        RefusalCode::NoTemplate,
        "the model file has no chat template; give one in the chat's `template`",
    )
}

fn template_error(error: &TemplateError) -> Refusal {
    refuse(Layer::Template, RefusalCode::TemplateError, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A built-in template that trims, as llama.cpp's Gemma does.
    fn fake(messages: &[Message]) -> Result<String, Refusal> {
        Ok(messages.iter().map(|m| format!("<{}>{}\n", m.role, m.content.trim())).collect())
    }

    #[test]
    fn a_builtin_rendering_is_cut_into_template_and_message() {
        let messages = [Message::new("user", " hi <user> "), Message::new("assistant", "")];
        let prompt = fake(&messages).unwrap();
        let segments = trace(&prompt, &messages, fake).unwrap().unwrap();
        let parts: Vec<(&str, bool)> =
            segments.iter().map(|s| (s.text.as_str(), s.origin == Origin::Message)).collect();
        assert_eq!(parts, [("<user>", false), ("hi <user>", true), ("\n<assistant>", false), ("\n", false)]);
    }

    #[test]
    fn a_rendering_that_changes_a_message_stays_uncut() {
        let upper = |messages: &[Message]| Ok(messages.iter().map(|m| m.content.to_uppercase()).collect());
        let messages = [Message::new("user", "hi")];
        assert!(trace("HI", &messages, upper).unwrap().is_none());
    }
}
