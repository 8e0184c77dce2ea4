//! What a prompt is made of beside the messages: how a turn ends, how the assistant's turn is opened.

use crate::{Conversation, Rendering};

/// Marks that no template writes by itself.
const MARK: &str = "\u{f0000}mark\u{f0001}";

/// What a right prompt has, by rendering it otherwise.
pub(crate) struct Turn {
    /// What opens the assistant's turn; empty where nothing does.
    pub(crate) opening: String,
    /// What closes a message's turn, on the line where its text ends; empty where it cannot be told.
    pub(crate) end: String,
}

impl Turn {
    /// Asks `engine`, whose prompts are taken for right.
    pub(crate) fn of(
        conversation: &Conversation,
        engine: &mut dyn FnMut(&Conversation) -> Rendering,
    ) -> Self {
        let mut prompt = |conversation: &Conversation| match engine(conversation) {
            Rendering::Prompt(prompt) => prompt,
            Rendering::Error(_) => String::new(),
        };
        let closed = prompt(&conversation.with("add_generation_prompt", false));
        let open = prompt(&conversation.with("add_generation_prompt", true));
        let opening = open.strip_prefix(closed.as_str()).filter(|_| !closed.is_empty());
        let marked = prompt(&marked(conversation).with("add_generation_prompt", false));
        let end = marked.rsplit_once(MARK).map_or("", |(_, end)| end);
        let end = end.trim().lines().next().unwrap_or_default();
        Self { opening: opening.unwrap_or_default().trim().to_owned(), end: end.trim().to_owned() }
    }
}

/// The same with a mark for the last message's text.
fn marked(conversation: &Conversation) -> Conversation {
    let mut messages = conversation.messages().to_vec();
    if let Some(content) = messages.last_mut().and_then(|message| message.get_mut("content")) {
        *content = MARK.into();
    }
    conversation.with("messages", messages)
}
