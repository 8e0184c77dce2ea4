//! Marks in message text, found again in the prompt.
//!
//! A message's content is `lead core tail`, where lead and tail are its surrounding whitespace. It becomes
//! `⟨ lead [ core ] tail ⟩`: `[` and `]` are private-use characters, so that a template that trims takes off the
//! rest and leaves the core marked; `⟨` and `⟩` are rare whitespace characters, so that a template that trims
//! takes them off too, and one that does not shows that lead and tail came from the message.

use std::collections::HashSet;

use crate::{Origin, Segment};

/// Four characters that occur nowhere else in a rendering.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    open: char,
    close: char,
    /// `None`: only cores are marked.
    outer: Option<(char, char)>,
}

impl Marks {
    /// Chooses characters that none of `texts` contains; `None` if there are not enough of them.
    pub(crate) fn choose<'a>(texts: impl Iterator<Item = &'a str>) -> Option<Self> {
        let taken: HashSet<char> = texts.flat_map(str::chars).filter(|c| !c.is_ascii()).collect();
        let mut private = ('\u{e000}'..='\u{f8ff}').filter(|c| !taken.contains(c));
        let mut spaces = ('\u{2000}'..='\u{200a}').filter(|c| !taken.contains(c));
        Some(Self { open: private.next()?, close: private.next()?, outer: spaces.next().zip(spaces.next()) })
    }

    /// The same marks, around cores alone.
    pub(crate) fn inner(self) -> Self {
        Self { outer: None, ..self }
    }

    /// `content` with marks. Empty content stays as it is, so that it stays false in a condition.
    pub(crate) fn wrap(self, content: &str) -> String {
        let Parts { lead, core, tail } = Parts::of(content);
        let mut out = String::with_capacity(content.len() + 12);
        let (first, last) = self.outer.filter(|_| !content.is_empty()).unzip();
        out.extend(first);
        out.push_str(lead);
        if !core.is_empty() {
            out.push(self.open);
            out.push_str(core);
            out.push(self.close);
        }
        out.push_str(tail);
        out.extend(last);
        out
    }

    /// `text` without marks.
    pub(crate) fn strip(self, text: &str) -> String {
        text.chars().filter(|&c| !self.is_mark(c)).collect()
    }

    /// Splits a marked prompt. `None` unless every mark stands where a whole message, trimmed or not, put it.
    pub(crate) fn split<'a>(
        self,
        marked: &str,
        contents: impl Iterator<Item = &'a str>,
    ) -> Option<Vec<Segment>> {
        let cores: HashSet<&str> = contents.map(|content| Parts::of(content).core).collect();
        let mut segments = Segments::default();
        let mut rest = marked;
        while let Some(at) = rest.find(|c| self.is_mark(c)) {
            segments.push(&rest[..at], Origin::Template);
            let (text, after) = self.message(&rest[at..], &cores)?;
            segments.push(&text, Origin::Message);
            rest = after;
        }
        segments.push(rest, Origin::Template);
        Some(segments.0)
    }

    /// Reads one marked message at the start of `text`: its text, and what follows.
    fn message<'a>(self, text: &'a str, cores: &HashSet<&str>) -> Option<(String, &'a str)> {
        let (first, last) = self.outer.unzip();
        let (lead, text) = match text.strip_prefix(|c| Some(c) == first) {
            Some(inside) => {
                inside.split_at(inside.len() - inside.trim_start_matches(|c| self.is_space(c)).len())
            }
            None => ("", text),
        };
        // Whitespace and no more.
        if let Some(after) = text.strip_prefix(|c| Some(c) == last) {
            return Some((lead.to_owned(), after));
        }
        let (core, text) = text.strip_prefix(self.open)?.split_once(self.close)?;
        if !cores.contains(core) {
            return None;
        }
        let tail = &text[..text.len() - text.trim_start_matches(|c| self.is_space(c)).len()];
        match text[tail.len()..].strip_prefix(|c| Some(c) == last) {
            Some(after) => Some((format!("{lead}{core}{tail}"), after)),
            None => Some((format!("{lead}{core}"), text)),
        }
    }

    fn is_space(self, c: char) -> bool {
        c.is_whitespace() && !self.is_mark(c)
    }

    fn is_mark(self, c: char) -> bool {
        c == self.open || c == self.close || self.outer.is_some_and(|(first, last)| c == first || c == last)
    }
}

/// A content and its surrounding whitespace.
struct Parts<'a> {
    lead: &'a str,
    core: &'a str,
    tail: &'a str,
}

impl<'a> Parts<'a> {
    fn of(content: &'a str) -> Self {
        let rest = content.trim_start();
        let core = rest.trim_end();
        Self { lead: &content[..content.len() - rest.len()], core, tail: &rest[core.len()..] }
    }
}

/// Segments in order, none of them empty.
#[derive(Default)]
struct Segments(Vec<Segment>);

impl Segments {
    fn push(&mut self, text: &str, origin: Origin) {
        if !text.is_empty() {
            self.0.push(Segment { text: text.to_owned(), origin });
        }
    }
}
