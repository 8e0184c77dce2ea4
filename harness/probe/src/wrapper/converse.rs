//! A conversation of several turns in one context.
//!
//! What the memory holds when a turn begins:
//! - *cleared*, *cleared-metadata*: nothing; the whole prompt is decoded.
//! - *kept* or *shifted* with *history sent*: the prompt is rendered anew; the tokens that it shares with the
//!   memory from position 0 on stay, the rest of the memory is removed, the rest of the prompt decoded.
//! - *kept* or *shifted* with *last-only*: everything stays, and the last message's prompt goes after it, without
//!   a second BOS.
//!
//! A turn that fails (`llama_decode` returned 1 or less than 0) is rolled back: what it added is removed, it ends
//! without text, its message leaves the history, and the conversation goes on.

use wire::{Chat, Converse, ConverseMemory, History, Layer, Message, Refusal, RefusalCode, StopReason, Turn};

use super::{
    Loaded, TemplateSource,
    answer::{Answering, failed, stop},
    forced::Forced,
    note, record, render,
    sequence::Sequence,
    tokenize,
};
use crate::{
    engine::{Context, Outputs},
    refuse::{bad_request, refuse, unsupported},
};

/// Holds the conversation in an empty context and pushes one turn after the other to `turns`.
pub(crate) fn converse(
    source: &TemplateSource<'_>,
    loaded: &Loaded,
    context: &mut dyn Context,
    spec: &Converse,
    forced: &mut Forced,
    turns: &mut Vec<Turn>,
) -> Result<(), Refusal> {
    let named = if spec.score { Some(loaded.named(spec.thinking.as_ref())?) } else { None };
    let mut sequence = Sequence::new(context, loaded, named);
    check(spec, &sequence)?;
    sequence.shifts = spec.memory == ConverseMemory::Shifted;
    let history = spec.system.iter().map(|system| Message::new("system", system)).collect();
    let mut conversation = Conversation { source, loaded, spec, sequence, history };
    for turn in &spec.turns {
        record(turns, |seen| conversation.turn(&turn.user, forced, seen))?;
    }
    Ok(())
}

fn check(spec: &Converse, sequence: &Sequence<'_>) -> Result<(), Refusal> {
    if !spec.chat.messages.is_empty() {
        return Err(bad_request(
            Layer::Turns,
            "a conversation's chat has no messages; put them into `turns`",
        ));
    }
    if spec.memory != ConverseMemory::Shifted {
        return Ok(());
    }
    match sequence.can_shift() {
        Some(true) => Ok(()),
        Some(false) => Err(refuse(
            Layer::Memory,
            RefusalCode::CannotShift,
            "llama_memory_can_shift says no; clear the memory instead, or make the context with swa_full",
        )),
        None => Err(unsupported(Layer::Memory, "this engine does not tell whether its memory can shift")),
    }
}

struct Conversation<'a> {
    source: &'a TemplateSource<'a>,
    loaded: &'a Loaded,
    spec: &'a Converse,
    sequence: Sequence<'a>,
    /// The system message and every turn that was answered.
    history: Vec<Message>,
}

impl Conversation<'_> {
    fn turn(&mut self, user: &str, forced: &mut Forced, turn: &mut Turn) -> Result<(), Refusal> {
        self.before()?;
        let messages = self.messages(user);
        let ids = self.prompt(&self.spec.chat, &messages, turn)?;
        let new = self.place(&ids)?;
        self.sequence.set_mark();
        let appended = self.sequence.append(new, Outputs::Last, &mut turn.decode_calls)?;
        turn.prefill = appended.positions;
        match failed(appended.code) {
            Some(reason) => turn.stop = Some(stop(reason)),
            None => Answering {
                loaded: self.loaded,
                max_tokens: self.spec.max_tokens,
                stop_strings: &[],
                thinking: self.spec.thinking.as_ref(),
            }
            .run(&mut self.sequence, forced, turn)?,
        }
        self.after(user, turn)
    }

    fn before(&mut self) -> Result<(), Refusal> {
        match self.spec.memory {
            ConverseMemory::Cleared => self.sequence.clear(true),
            ConverseMemory::ClearedMetadata => self.sequence.clear(false),
            ConverseMemory::Kept | ConverseMemory::Shifted => Ok(()),
        }
    }

    /// What is rendered: the history and the new message, or that message alone after the first turn.
    fn messages(&self, user: &str) -> Vec<Message> {
        let begun = self.history.iter().any(|message| message.role == "user");
        let mut messages = match self.spec.history {
            History::LastOnly if begun => Vec::new(),
            History::Sent | History::LastOnly => self.history.clone(),
        };
        messages.push(Message::new("user", user));
        messages
    }

    fn prompt(&self, chat: &Chat, messages: &[Message], turn: &mut Turn) -> Result<Vec<i32>, Refusal> {
        let rendered = render(self.source, chat, messages)?;
        turn.prompt = Some(rendered.prompt.clone());
        let mut ids = tokenize(self.loaded, &rendered)?;
        let goes_on = self.spec.history == History::LastOnly && !self.sequence.tokens().is_empty();
        if goes_on && ids.first() == Some(&self.loaded.facts.bos) {
            ids.remove(0);
        }
        note(self.loaded, &ids, turn)?;
        Ok(ids)
    }

    /// Makes the memory ready for a prompt and returns the part of it that is to be decoded.
    fn place<'t>(&mut self, ids: &'t [i32]) -> Result<&'t [i32], Refusal> {
        if self.spec.history == History::LastOnly {
            return Ok(ids);
        }
        let reusable = self.sequence.reusable(ids);
        self.sequence.truncate(reusable)?;
        // Recurrent memory cannot be cut; it was cleared then.
        Ok(&ids[self.sequence.tokens().len()..])
    }

    fn after(&mut self, user: &str, turn: &mut Turn) -> Result<(), Refusal> {
        let end = turn.stop.clone().unwrap_or_else(|| stop(StopReason::DecodeFailed));
        if matches!(end.reason, StopReason::ContextFull | StopReason::DecodeFailed) {
            self.sequence.roll_back()?;
            turn.answer = None;
            turn.thinking = None;
            turn.chunks.clear();
        } else {
            if let (true, Some(id)) = (self.spec.decode_eog, end.token) {
                // Its answer is whole already: a failure here only shows among the calls.
                self.sequence.append(&[id], Outputs::Last, &mut turn.decode_calls)?;
            }
            self.history.push(Message::new("user", user));
            self.history.push(Message::new("assistant", turn.answer.clone().unwrap_or_default()));
        }
        turn.memory = Some(self.sequence.memory());
        Ok(())
    }
}
