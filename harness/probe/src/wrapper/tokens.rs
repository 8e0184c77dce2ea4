//! Prompt to tokens.
//!
//! Two rules hold for a chat. *Exactly one BOS*: the tokenizer adds it, and where the template wrote it too, that
//! text is taken off first, as llama.cpp's own chat code does. *User text never becomes a control token*: where a
//! message holds the text of one, the prompt is tokenised segment by segment and control tokens are parsed in the
//! template's segments alone. Every other prompt is tokenised in one go, because a cut changes the tokens on both
//! sides of it (no merge crosses it, and vocabularies with a space prefix add one after it). User-defined tokens
//! are made by llama.cpp from any text; that is only observed here.

use prompt::{Origin, Rendered, Segment};
use wire::{Layer, Prompt, Refusal, Turn};

use super::{Loaded, TemplateSource, render};
use crate::refuse::bad_request;

/// The tokens of a request's prompt, never none; text and tokens are written into `turn`.
pub(crate) fn prepare(
    source: &TemplateSource<'_>,
    loaded: &Loaded,
    prompt: &Prompt,
    turn: &mut Turn,
) -> Result<Vec<i32>, Refusal> {
    let ids = match prompt {
        Prompt::Chat(chat) => {
            let rendered = render(source, chat, &chat.messages)?;
            turn.prompt = Some(rendered.prompt.clone());
            tokenize(loaded, &rendered)?
        }
        Prompt::Text(text) => {
            turn.prompt = Some(text.clone());
            loaded.tokenize(text, true, true)?
        }
        Prompt::Tokens(ids) => {
            loaded.check_ids(ids)?;
            ids.clone()
        }
    };
    note(loaded, &ids, turn)?;
    Ok(ids)
}

/// Writes a prompt's tokens into `turn`; there must be some.
pub(crate) fn note(loaded: &Loaded, ids: &[i32], turn: &mut Turn) -> Result<(), Refusal> {
    turn.prompt_tokens = loaded.tokens(ids);
    if ids.is_empty() {
        return Err(bad_request(Layer::Tokens, "the prompt has no tokens; give it some text"));
    }
    Ok(())
}

/// Tokens of a rendered chat.
pub(crate) fn tokenize(loaded: &Loaded, rendered: &Rendered) -> Result<Vec<i32>, Refusal> {
    let bos = if loaded.facts.add_bos { loaded.special_text(loaded.facts.bos) } else { String::new() };
    match &rendered.segments {
        Some(segments) if has_control_text(loaded, segments)? => by_segment(loaded, segments, &bos),
        // What is taken off is the template's: a message that began with it would have been control text. (Where
        // the parts are unknown, because the template rewrites its messages, this is llama.cpp's own guess.)
        _ => loaded.tokenize(rendered.prompt.strip_prefix(&bos).unwrap_or(&rendered.prompt), true, true),
    }
}

/// Whether parsing special tokens in a message would make some that plain tokenising does not.
fn has_control_text(loaded: &Loaded, segments: &[Segment]) -> Result<bool, Refusal> {
    for segment in segments.iter().filter(|segment| segment.origin == Origin::Message) {
        let special = |parse| -> Result<Vec<i32>, Refusal> {
            let ids = loaded.tokenize(&segment.text, false, parse)?;
            Ok(ids.into_iter().filter(|&id| loaded.is_special(id)).collect())
        };
        if special(true)? != special(false)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn by_segment(loaded: &Loaded, segments: &[Segment], bos: &str) -> Result<Vec<i32>, Refusal> {
    let facts = &loaded.facts;
    let mut ids: Vec<i32> = Vec::new();
    ids.extend((facts.add_bos && facts.bos >= 0).then_some(facts.bos));
    for (index, segment) in segments.iter().enumerate() {
        let from_template = segment.origin == Origin::Template;
        let text = match segment.text.strip_prefix(bos) {
            Some(rest) if index == 0 && from_template => rest,
            _ => &segment.text,
        };
        if !text.is_empty() {
            ids.extend(loaded.tokenize(text, false, from_template)?);
        }
    }
    ids.extend((loaded.model.add_eos() && facts.eos >= 0).then_some(facts.eos));
    Ok(ids)
}
