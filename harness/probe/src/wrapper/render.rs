//! Messages to prompt.

use prompt::{Origin, RenderInput, Rendered, Segment, TemplateError};
use wire::{Chat, Layer, Message, Refusal, RefusalCode, TemplateEngine};

use super::Loaded;
use crate::{
    engine::{BuiltinChat, Engine},
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
    match chat.engine {
        TemplateEngine::Minijinja => minijinja(source, template, chat, messages),
        TemplateEngine::Builtin => {
            let add_generation_prompt = chat.generation_prompt();
            let apply = |messages: &[Message]| {
                builtin(source, &BuiltinChat { template, messages, add_generation_prompt })
            };
            let prompt = apply(messages)?;
            let segments = trace(&prompt, messages, apply)?;
            Ok(Rendered { prompt, segments })
        }
    }
}

fn minijinja(
    source: &TemplateSource<'_>,
    template: &str,
    chat: &Chat,
    messages: &[Message],
) -> Result<Rendered, Refusal> {
    let special = |pick: fn(&wire::LoadEvidence) -> i32| {
        source.loaded.map(|loaded| loaded.special_text(pick(&loaded.facts))).unwrap_or_default()
    };
    let input = RenderInput {
        messages,
        add_generation_prompt: chat.generation_prompt(),
        bos_token: &special(|facts| facts.bos),
        eos_token: &special(|facts| facts.eos),
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

/// Finds which parts of a built-in rendering came from the messages.
///
/// The built-in templates never look into a message, they only trim some. So each message is replaced by a
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
