//! In which ways one engine's rendering differs from another's that is taken for right.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Conversation, Rendering, turn::Turn};

/// A way in which a prompt is not the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Difference {
    /// One gives an error, or another kind of error, where the other doesn't.
    Error,
    /// BOS at the beginning, and nothing else.
    BosOnly,
    /// Spaces and newlines, and nothing else.
    Whitespace,
    /// The text of a system message is not there.
    SystemLost,
    /// The text of another message is not there.
    MessageLost,
    /// The tools are not there.
    ToolsLost,
    /// What ends a turn is not there: the model has no example of how to stop.
    TurnEndMissing,
    /// The assistant's turn is not opened: the model goes on as the user.
    GenerationPromptMissing,
    /// Thinking on and thinking off give the same prompt.
    ThinkingSwitchIgnored,
    /// Nothing is said of thinking, and it is on: as if it had been switched on.
    ThinkingDefault,
    /// Some other text.
    Text,
}

impl Difference {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Error,
        Self::BosOnly,
        Self::Whitespace,
        Self::SystemLost,
        Self::MessageLost,
        Self::ToolsLost,
        Self::TurnEndMissing,
        Self::GenerationPromptMissing,
        Self::ThinkingSwitchIgnored,
        Self::ThinkingDefault,
        Self::Text,
    ];

    /// In words, for people.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::BosOnly => "BOS only",
            Self::Whitespace => "whitespace",
            Self::SystemLost => "system lost",
            Self::MessageLost => "message lost",
            Self::ToolsLost => "tools lost",
            Self::TurnEndMissing => "turn end missing",
            Self::GenerationPromptMissing => "generation prompt missing",
            Self::ThinkingSwitchIgnored => "thinking switch ignored",
            Self::ThinkingDefault => "thinking on unless told",
            Self::Text => "other text",
        }
    }

    /// Whether the model sees it, as far as text tells: a tokenizer that writes BOS itself makes up for a missing one,
    /// and whether it does is the model's. Everything else is other tokens.
    pub const fn is_visible(self) -> Option<bool> {
        match self {
            Self::BosOnly => None,
            _ => Some(true),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

/// An engine: a conversation to a rendering.
type Engine<'a> = &'a mut dyn FnMut(&Conversation) -> Rendering;

/// Says how `ours` differs from `right` on this conversation; nothing where they give the same. Both are asked again
/// with the thinking switch the other way, and `right` for what ends a turn.
pub fn compare(conversation: &Conversation, right: Engine<'_>, ours: Engine<'_>) -> Vec<Difference> {
    let (wanted, given) = (right(conversation), ours(conversation));
    if wanted.same(&given) {
        return Vec::new();
    }
    let (Rendering::Prompt(wanted), Rendering::Prompt(given)) = (&wanted, &given) else {
        return vec![Difference::Error];
    };
    let bos = conversation.text("bos_token");
    let without_bos = |text: &str| if bos.is_empty() { text.to_owned() } else { text.replacen(bos, "", 1) };
    if !bos.is_empty() && without_bos(wanted) == without_bos(given) {
        return vec![Difference::BosOnly];
    }
    let thinks = switched(conversation).is_some_and(|[on, off]| {
        let on = right(&on);
        on.prompt() == Some(given) && on != right(&off)
    });
    if thinks {
        return vec![Difference::ThinkingDefault];
    }
    let switch = flipped(conversation).is_some_and(|flipped| {
        let (wanted_flipped, given_flipped) = (right(&flipped), ours(&flipped));
        wanted_flipped.prompt() != Some(wanted) && given_flipped.prompt() == Some(given)
    });
    let turn = Turn::of(conversation, right);
    let mut found = lost(conversation, wanted, given);
    found.extend(ending(conversation, &turn, wanted, given));
    found.extend(switch.then_some(Difference::ThinkingSwitchIgnored));
    if found.is_empty() {
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        let same = squeezed(&without_bos(wanted)) == squeezed(&without_bos(given));
        found.push(if same { Difference::Whitespace } else { Difference::Text });
    }
    found
}

/// Names of the variable that switches thinking.
const SWITCHES: [&str; 2] = ["enable_thinking", "thinking"];

/// The conversation with thinking switched the other way; `None` where nothing is said of it.
fn flipped(conversation: &Conversation) -> Option<Conversation> {
    SWITCHES.iter().find_map(|name| Some(conversation.with(name, !conversation.get(name)?.as_bool()?)))
}

/// The conversation with thinking on, and off, by both of its usual names; `None` where something is said of it.
fn switched(conversation: &Conversation) -> Option<[Conversation; 2]> {
    let said = SWITCHES.iter().any(|name| conversation.get(name).is_some());
    let with = |on: bool| SWITCHES.iter().fold(conversation.clone(), |asked, name| asked.with(name, on));
    (!said).then(|| [with(true), with(false)])
}

/// What of the conversation is in `wanted` and not in `given`.
fn lost(conversation: &Conversation, wanted: &str, given: &str) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut look = |text: &str, difference: Difference| {
        let text = text.trim();
        if !text.is_empty() && wanted.contains(text) && !given.contains(text) && !found.contains(&difference)
        {
            found.push(difference);
        }
    };
    for message in conversation.messages() {
        let system = matches!(message["role"].as_str(), Some("system" | "developer"));
        let difference = if system { Difference::SystemLost } else { Difference::MessageLost };
        texts(&message["content"]).into_iter().for_each(|text| look(text, difference));
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            look(call["function"]["name"].as_str().unwrap_or_default(), Difference::ToolsLost);
        }
    }
    for tool in conversation.get("tools").and_then(Value::as_array).into_iter().flatten() {
        look(tool["function"]["name"].as_str().unwrap_or_default(), Difference::ToolsLost);
    }
    found
}

/// The texts of a message's content: itself, or its parts'.
fn texts(content: &Value) -> Vec<&str> {
    match content {
        Value::String(text) => vec![text],
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => Vec::new(),
    }
}

/// What is missing at the end of turns.
fn ending(conversation: &Conversation, turn: &Turn, wanted: &str, given: &str) -> Vec<Difference> {
    let lacks = |text: &str| !text.is_empty() && wanted.contains(text) && !given.contains(text);
    let mut found = Vec::new();
    if lacks(&turn.end) {
        found.push(Difference::TurnEndMissing);
    }
    // A thought that is opened or left empty after it is the thinking switch's affair.
    let opening = turn.opening.lines().next().unwrap_or_default().trim_end();
    let opened = |prompt: &str| [opening, &turn.opening].iter().any(|end| prompt.trim_end().ends_with(end));
    if conversation.add_generation_prompt() && !turn.opening.is_empty() && opened(wanted) && !opened(given) {
        found.push(Difference::GenerationPromptMissing);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIGHT: &str = "{{ bos_token }}{% for m in messages %}<{{ m.role }}>{{ m.content }}</>\n{% endfor %}\
                         {% if tools %}{{ tools | tojson }}{% endif %}\
                         {% if add_generation_prompt %}<assistant>{% if enable_thinking %}<think>{% endif %}{% endif %}";

    fn differences(ours: &str, more: &str) -> Vec<Difference> {
        let text = format!(
            r#"{{"bos_token": "<s>", "messages": [{{"role": "system", "content": "Be brief."}},
                {{"role": "user", "content": "Hello"}}]{more}}}"#
        );
        let conversation = Conversation::parse(&text).unwrap();
        let engine = |template: &'static str| {
            let template = template.to_owned();
            move |conversation: &Conversation| {
                crate::Renderer::default().render(&template, conversation.clone())
            }
        };
        let ours: &'static str = Box::leak(ours.to_owned().into_boxed_str());
        compare(&conversation, &mut engine(RIGHT), &mut engine(ours))
    }

    #[test]
    fn each_difference_is_named() {
        use Difference::*;
        let table: &[(&str, &str, &str, &[Difference])] = &[
            ("", "", "", &[]),
            ("{{ bos_token }}", "", "", &[BosOnly]),
            ("\n", " ", "", &[Whitespace]),
            ("for m in messages", "for m in messages[1:]", "", &[SystemLost]),
            ("for m in messages", "for m in messages[:1]", "", &[MessageLost]),
            (
                "tools | tojson",
                "'[]'",
                r#", "tools": [{"type": "function", "function": {"name": "look"}}]"#,
                &[ToolsLost],
            ),
            ("</>", "", "", &[TurnEndMissing]),
            ("if add_generation_prompt", "if false", "", &[GenerationPromptMissing]),
            (
                "if enable_thinking",
                "if true",
                r#", "enable_thinking": false"#,
                &[GenerationPromptMissing, ThinkingSwitchIgnored],
            ),
            ("if enable_thinking", "if enable_thinking is undefined", "", &[ThinkingDefault]),
            ("<{{ m.role }}>", "[{{ m.role }}]", "", &[Text]),
            ("{{ bos_token }}", "{{ raise_exception('no') }}", "", &[Error]),
        ];
        for (from, to, more, expected) in table {
            let ours = if from.is_empty() { RIGHT.to_owned() } else { RIGHT.replace(from, to) };
            assert_eq!(differences(&ours, more), *expected, "{from:?} to {to:?}");
        }
    }
}
