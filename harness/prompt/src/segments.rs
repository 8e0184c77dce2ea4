//! A prompt in parts: what the template wrote, and what came from messages.
//!
//! Only the template's parts may be read for control tokens: a user who types `<|im_end|>` must stay text.

use crate::{RenderInput, TemplateError, render, sentinel::Marks};

/// A prompt, and where its parts come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The prompt, the same as [`render`] gives.
    pub prompt: String,
    /// Its parts in order; joined they are the prompt, and none is empty. `None` where the template changes,
    /// cuts or inspects message text so that its parts can't be told apart.
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
/// # Errors
/// As [`render`].
pub fn render_segments(template: &str, input: &RenderInput<'_>) -> Result<Rendered, TemplateError> {
    let prompt = render(template, input)?;
    let segments = segments(template, input, &prompt);
    Ok(Rendered { prompt, segments })
}

fn segments(template: &str, input: &RenderInput<'_>, prompt: &str) -> Option<Vec<Segment>> {
    let contents: Vec<&str> = input.messages.iter().map(|message| message.content.as_str()).collect();
    let marks = Marks::choose(contents.iter().copied().chain([template, prompt]))?;
    [marks, marks.inner()].into_iter().find_map(|marks| {
        let marked = render_marked(template, input, marks)?;
        if marks.strip(&marked) != prompt {
            return None;
        }
        marks.split(&marked, &contents)
    })
}

fn render_marked(template: &str, input: &RenderInput<'_>, marks: Marks) -> Option<String> {
    let messages: Vec<wire::Message> = input
        .messages
        .iter()
        .map(|message| wire::Message::new(message.role.clone(), marks.wrap(&message.content)))
        .collect();
    render(template, &RenderInput { messages: &messages, ..*input }).ok()
}
