//! Thought and answer, told apart by their tags.

use wire::ThinkingTags;

use crate::stop::partial;

/// A stretch of the stream of which it is certain whether it is thought or answer.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    /// Whether it belongs to a thought; the tags do.
    pub(crate) in_thought: bool,
    /// A new thought begins here.
    pub(crate) opens: bool,
    /// Its text, without tags and without whitespace that is dropped.
    pub(crate) text: String,
    /// How many bytes of the stream it covers.
    pub(crate) length: usize,
}

/// Splits a text that comes in parts. [`AnswerStream`](crate::AnswerStream) documents the rules.
#[derive(Debug)]
pub(crate) struct ThinkingSplitter {
    tags: Option<ThinkingTags>,
    inside: bool,
    /// A thought was opened, here or by the prompt.
    any_thought: bool,
    /// The answer has begun: something other than droppable whitespace came out.
    answering: bool,
    /// Whitespace before the answer, to be dropped if a thought follows.
    lead: String,
    /// Text that may still turn out to be part of a tag.
    held: String,
}

impl ThinkingSplitter {
    /// A splitter; `inside`: the prompt has opened a thought already.
    pub(crate) fn new(tags: Option<&ThinkingTags>, inside: bool) -> Self {
        let inside = inside && tags.is_some();
        Self {
            tags: tags.cloned(),
            inside,
            any_thought: inside,
            answering: false,
            lead: String::new(),
            held: String::new(),
        }
    }

    /// Whether what comes next is thought, or what is held may become the tag that opens one.
    pub(crate) fn may_be_inside(&self) -> bool {
        self.inside || !self.held.is_empty()
    }

    /// Takes `text`, gives what has become certain.
    pub(crate) fn push(&mut self, text: &str) -> Vec<Part> {
        let Some(tags) = self.tags.take() else {
            return vec![Part { text: text.to_owned(), length: text.len(), ..Part::default() }];
        };
        self.held.push_str(text);
        let mut parts = Vec::new();
        loop {
            let tag = if self.inside { &tags.close } else { &tags.open };
            let Some(at) = find(&self.held, tag) else {
                let certain = self.held.len() - partial(&self.held, tag);
                parts.extend(self.part(certain));
                break;
            };
            parts.extend(self.part(at));
            parts.push(self.tag(tag.len()));
        }
        self.tags = Some(tags);
        parts
    }

    /// Ends: what was held is no tag.
    pub(crate) fn finish(&mut self) -> Vec<Part> {
        let mut parts: Vec<Part> = self.part(self.held.len()).into_iter().collect();
        if !self.any_thought {
            parts.push(Part { text: std::mem::take(&mut self.lead), ..Part::default() });
        }
        parts
    }

    /// Takes `length` bytes off what is held, as text.
    fn part(&mut self, length: usize) -> Option<Part> {
        if length == 0 {
            return None;
        }
        let mut text: String = self.held.drain(..length).collect();
        if !self.inside && !self.answering {
            self.lead.push_str(&text);
            let kept = self.lead.trim_start().len();
            self.answering = kept > 0;
            let dropped = if self.any_thought || kept == 0 { self.lead.len() - kept } else { 0 };
            text = self.lead[dropped..].to_owned();
            if self.answering || self.any_thought {
                self.lead.clear();
            }
        }
        Some(Part { in_thought: self.inside, text, length, opens: false })
    }

    /// Takes a tag off what is held.
    fn tag(&mut self, length: usize) -> Part {
        self.held.drain(..length);
        self.inside = !self.inside;
        self.any_thought = true;
        Part { in_thought: true, opens: self.inside, text: String::new(), length }
    }
}

/// An empty tag is never found.
fn find(text: &str, tag: &str) -> Option<usize> {
    if tag.is_empty() { None } else { text.find(tag) }
}
