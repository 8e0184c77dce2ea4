//! The bytes of generated tokens to answer and thought.

use std::collections::VecDeque;

use wire::ThinkingTags;

use crate::{
    stop::StopFinder,
    thinking::{Part, ThinkingSplitter},
    utf8::Utf8Assembler,
};

/// Turns the bytes of tokens into an answer, while they come.
///
/// The outcome depends on the bytes alone, never on where the stream is cut into pieces:
///
/// 1. **Text.** The bytes are read as [`String::from_utf8_lossy`] reads them; an incomplete character is held
///    back, and is U+FFFD if the stream ends with it.
/// 2. **Thought.** With `thinking`, the first `open` tag begins a thought and the next `close` tag ends it. What a
///    thought says is given without surrounding whitespace, so the newline after `<|channel>thought` is optional.
///    Whitespace before the first tag, and after a `close` as long as the answer is empty, is dropped; if no
///    `open` comes, nothing is. A thought that never ends takes the rest: the answer is then empty. A later
///    `open`, anywhere, begins another thought: Gemma 4 may think again after its answer, and llama.cpp's parser
///    for it does the same. A `close` outside of a thought stays in the answer, where a leak can be seen.
/// 3. **Stop.** Stop strings are searched in the answer only, never in a thought, and a tag is never part of one.
///    The match that ends first wins, of those that end together the longest. The answer ends before it, and
///    everything after it is ignored.
#[derive(Debug)]
pub struct AnswerStream {
    utf8: Utf8Assembler,
    splitter: ThinkingSplitter,
    finder: StopFinder,
    pieces: PieceCounter,
    /// One for each that was opened.
    thoughts: Vec<String>,
    chunks: Vec<String>,
}

/// What one piece brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Answer text that became certain; often empty.
    pub chunk: String,
    /// The stop string, from the piece that completes it on.
    pub stopped: Option<String>,
    /// Whether the piece's last byte belongs to a thought, tags included, as far as is known: a piece that may yet
    /// turn out to begin an `open` tag counts as thought. [`Answer::thought_pieces`] is exact.
    pub in_thought: bool,
}

/// What the whole stream was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The answer: thought and stop string taken off.
    pub answer: String,
    /// What was thought, several thoughts with a newline between; `None` where none was opened.
    pub thinking: Option<String>,
    /// The chunks in which the answer came, none of them empty; joined they are the answer.
    pub chunks: Vec<String>,
    /// The stop string that ended it. It can become certain at the end only, if it lies in what might have been
    /// the beginning of a tag.
    pub stopped: Option<String>,
    /// How many pieces had their last byte in a thought, its tags included.
    pub thought_pieces: u32,
}

impl AnswerStream {
    /// A stream that begins outside of a thought. Empty stop strings and empty tags are never found.
    pub fn new(stop_strings: &[String], thinking: Option<&ThinkingTags>) -> Self {
        Self::starting(stop_strings, thinking, false)
    }

    /// A stream that begins inside a thought, because the prompt has opened it (Qwen 3.5 ends with `<think>\n`).
    pub fn in_thought(stop_strings: &[String], thinking: &ThinkingTags) -> Self {
        Self::starting(stop_strings, Some(thinking), true)
    }

    /// A stream that continues `prompt`: inside a thought if the prompt ends with the `open` tag, whitespace after
    /// it aside.
    pub fn after_prompt(prompt: &str, stop_strings: &[String], thinking: Option<&ThinkingTags>) -> Self {
        let opened =
            thinking.is_some_and(|tags| !tags.open.is_empty() && prompt.trim_end().ends_with(&tags.open));
        Self::starting(stop_strings, thinking, opened)
    }

    fn starting(stop_strings: &[String], thinking: Option<&ThinkingTags>, inside: bool) -> Self {
        Self {
            utf8: Utf8Assembler::default(),
            splitter: ThinkingSplitter::new(thinking, inside),
            finder: StopFinder::new(stop_strings),
            pieces: PieceCounter { inside, ..PieceCounter::default() },
            thoughts: if inside { vec![String::new()] } else { Vec::new() },
            chunks: Vec::new(),
        }
    }

    /// Takes the bytes of one token. After a stop string was found, nothing is taken any more.
    pub fn push(&mut self, piece: &[u8]) -> Step {
        if let Some(stop) = self.finder.found() {
            return Step { stopped: Some(stop.to_owned()), ..Step::default() };
        }
        let mut text = String::new();
        self.utf8.push(piece, &mut text);
        self.pieces.push(text.len(), self.utf8.is_inside_character());
        let parts = self.splitter.push(&text);
        let in_thought = match parts.last() {
            Some(last) => last.in_thought || self.splitter.may_be_inside(),
            None => self.splitter.may_be_inside(),
        };
        let mut chunk = String::new();
        self.take(parts, &mut chunk);
        self.keep(&chunk);
        Step { chunk, stopped: self.finder.found().map(str::to_owned), in_thought }
    }

    /// Ends the stream: what was held back becomes certain.
    pub fn finish(mut self) -> Answer {
        let mut chunk = String::new();
        if self.finder.found().is_none() {
            let mut text = String::new();
            self.utf8.finish(&mut text);
            let parts = self.splitter.push(&text);
            self.take(parts, &mut chunk);
            let parts = self.splitter.finish();
            self.take(parts, &mut chunk);
            self.finder.finish(&mut chunk);
        }
        self.keep(&chunk);
        let thoughts: Vec<&str> = self
            .thoughts
            .iter()
            .map(|thought| thought.trim())
            .filter(|thought| !thought.is_empty())
            .collect();
        Answer {
            answer: self.chunks.concat(),
            thinking: (!self.thoughts.is_empty()).then(|| thoughts.join("\n")),
            stopped: self.finder.found().map(str::to_owned),
            thought_pieces: self.pieces.in_thought,
            chunks: self.chunks,
        }
    }

    fn take(&mut self, parts: Vec<Part>, chunk: &mut String) {
        for part in parts {
            if self.finder.found().is_some() {
                return;
            }
            self.pieces.decide(part.length, part.in_thought);
            if part.opens {
                self.thoughts.push(String::new());
            }
            match self.thoughts.last_mut() {
                Some(thought) if part.in_thought => thought.push_str(&part.text),
                _ => self.finder.push(&part.text, chunk),
            }
        }
    }

    fn keep(&mut self, chunk: &str) {
        if !chunk.is_empty() {
            self.chunks.push(chunk.to_owned());
        }
    }
}

/// Counts the pieces that end in a thought, once it is certain where they end.
#[derive(Debug, Default)]
struct PieceCounter {
    /// Where pieces end in the text, as offsets; ascending, decided ones taken out.
    ends: VecDeque<usize>,
    /// Length of the text so far.
    length: usize,
    /// How much of it is decided.
    decided: usize,
    /// Whether the last decided byte belongs to a thought; an empty piece after it then does too.
    inside: bool,
    in_thought: u32,
}

impl PieceCounter {
    fn push(&mut self, length: usize, inside_character: bool) {
        self.length += length;
        let end = self.length + usize::from(inside_character);
        if end <= self.decided {
            self.in_thought += u32::from(self.inside);
        } else {
            self.ends.push_back(end);
        }
    }

    fn decide(&mut self, length: usize, in_thought: bool) {
        if length == 0 {
            return;
        }
        self.decided += length;
        self.inside = in_thought;
        while self.ends.front().is_some_and(|end| *end <= self.decided) {
            self.ends.pop_front();
            self.in_thought += u32::from(in_thought);
        }
    }
}
