//! A prompt in parts: what the template wrote, and what came from messages.
//!
//! Only the template's parts may be read for control tokens: a user who types `<|im_end|>` must stay text.

use wire::Message;

use crate::{RenderInput, TemplateError, render, sentinel::Marks};

/// A prompt, and where its parts come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The prompt, the same as [`render`] gives.
    pub prompt: String,
    /// Its parts in order; joined they are the prompt, and none is empty. `None` where the template changes,
    /// cuts or inspects what the user wrote, so that its parts can't be told apart.
    pub segments: Option<Vec<Segment>>,
}

/// A part of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The text.
    pub text: String,
    /// Who wrote it.
    pub origin: Origin,
}

/// Who wrote a part of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The template, or a variable or role that it shows.
    Template,
    /// A message's content.
    Message,
}

/// Renders `template`, and tells which parts of the prompt are the contents of messages.
///
/// It renders again with marks in the contents, and believes the marks only where taking them out gives the
/// plain prompt, byte for byte, and where each pair holds a message's whole content (its surrounding whitespace
/// may be trimmed). Whitespace of a message that can't be told from the template's counts as the template's.
///
/// Many templates cut the thought out of the assistant's earlier answers. Where that keeps the parts from being
/// told apart, the assistant's text counts as the template's: it came from the model, control tokens and all, and
/// what the user wrote is still known.
///
/// # Errors
/// As [`render`].
pub fn render_segments(template: &str, input: &RenderInput<'_>) -> Result<Rendered, TemplateError> {
    let prompt = render(template, input)?;
    let segments = segments(template, input, &prompt);
    Ok(Rendered { prompt, segments })
}

fn segments(template: &str, input: &RenderInput<'_>, prompt: &str) -> Option<Vec<Segment>> {
    let contents = input.messages.iter().map(|message| message.content.as_str());
    let marks = Marks::choose(contents.chain([template, prompt]))?;
    let all = |_: &Message| true;
    let without_assistant = |message: &Message| message.role != "assistant";
    told_apart(template, input, prompt, marks, all)
        .or_else(|| told_apart(template, input, prompt, marks.inner(), all))
        .or_else(|| told_apart(template, input, prompt, marks, without_assistant))
        .or_else(|| told_apart(template, input, prompt, marks.inner(), without_assistant))
}

/// Renders with marks in the messages that are `marked`; `None` if they can't be believed.
fn told_apart(
    template: &str,
    input: &RenderInput<'_>,
    prompt: &str,
    marks: Marks,
    marked: impl Fn(&Message) -> bool,
) -> Option<Vec<Segment>> {
    let wrap = |message: &Message| {
        let content = if marked(message) { marks.wrap(&message.content) } else { message.content.clone() };
        Message::new(message.role.clone(), content)
    };
    let messages: Vec<Message> = input.messages.iter().map(wrap).collect();
    let text = render(template, &RenderInput { messages: &messages, ..*input }).ok()?;
    if marks.strip(&text) != prompt {
        return None;
    }
    let contents = input.messages.iter().filter(|message| marked(message));
    marks.split(&text, contents.map(|message| message.content.as_str()))
}
