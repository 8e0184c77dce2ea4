//! A wrapper that does not do what it is asked: the request that it really works on.

use serde_json::Value;
use wire::{Chat, Converse, ConverseMemory, History, LoadMode, Prompt, Request, Stimulus};

use super::Fault;

/// The template variable that switches thinking.
const SWITCH: &str = "enable_thinking";

/// Bytes of address space that are left for a model: less than the smallest fixture.
const NO_ROOM: u64 = 1024 * 1024;

/// What is really done for `request` under `fault`.
pub(super) fn misread(fault: Fault, request: &Request) -> Request {
    let mut request = request.clone();
    match fault {
        Fault::AddressSpaceLimit => request.limits.address_space = Some(NO_ROOM),
        Fault::OutOfMemory => {
            request.limits.address_space = Some(NO_ROOM);
            request.config.load.mode = LoadMode::None;
        }
        _ => {}
    }
    match &mut request.stimulus {
        Stimulus::Render(chat) => misread_chat(fault, chat),
        Stimulus::Generate(spec) => {
            if let Prompt::Chat(chat) = &mut spec.prompt {
                misread_chat(fault, chat);
            }
            match fault {
                Fault::ThoughtNotSplit => spec.thinking = None,
                Fault::BudgetMiscounted => spec.max_tokens += 1,
                _ => {}
            }
        }
        Stimulus::Converse(spec) => misread_conversation(fault, spec),
        Stimulus::Score(spec) => {
            if let Prompt::Chat(chat) = &mut spec.prompt {
                misread_chat(fault, chat);
            }
        }
        Stimulus::Stream(script) => match fault {
            Fault::ThoughtNotSplit => script.thinking = None,
            Fault::BudgetMiscounted => script.max_tokens = script.max_tokens.map(|max| max + 1),
            _ => {}
        },
        Stimulus::Tokenize(_) | Stimulus::Load(_) | Stimulus::Inspect {} => {}
    }
    request
}

fn misread_chat(fault: Fault, chat: &mut Chat) {
    match fault {
        Fault::HistoryDropped => {
            let last = chat.messages.len().saturating_sub(1);
            let mut index = 0..;
            chat.messages.retain(|message| index.next() == Some(last) || message.role == "system");
        }
        Fault::SystemDropped => chat.messages.retain(|message| message.role != "system"),
        Fault::GenerationPromptMissing => chat.add_generation_prompt = Some(false),
        Fault::ThinkingLeftOn => {
            for variables in std::iter::once(&mut chat.variables).chain(&mut chat.variants) {
                variables.insert(SWITCH.to_owned(), Value::Bool(true));
            }
        }
        _ => {}
    }
}

fn misread_conversation(fault: Fault, spec: &mut Converse) {
    misread_chat(fault, &mut spec.chat);
    match fault {
        Fault::HistoryDropped => {
            spec.history = History::LastOnly;
            if spec.memory == ConverseMemory::Kept {
                spec.memory = ConverseMemory::Cleared;
            }
        }
        Fault::SystemDropped => spec.system = None,
        Fault::ThoughtNotSplit => spec.thinking = None,
        Fault::BudgetMiscounted => spec.max_tokens += 1,
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(fault: Fault, stimulus: &Value, expected: &Value) {
        let request = |stimulus: &Value| -> Request {
            serde_json::from_value(json!({ "id": 1, "model": null, "stimulus": stimulus }))
                .expect("a request")
        };
        assert_eq!(misread(fault, &request(stimulus)), request(expected), "{fault:?}");
    }

    fn messages(roles: &[&str]) -> Value {
        roles.iter().map(|role| json!({ "role": role, "content": "x" })).collect()
    }

    #[test]
    fn messages_get_lost() {
        let all = json!({ "render": { "messages": messages(&["system", "user", "assistant", "user"]) } });
        let render = |roles: &[&str]| json!({ "render": { "messages": messages(roles) } });
        check(Fault::HistoryDropped, &all, &render(&["system", "user"]));
        check(Fault::SystemDropped, &all, &render(&["user", "assistant", "user"]));
        check(Fault::Abort, &all, &all);
    }

    #[test]
    fn a_conversation_loses_its_history_and_keeps_no_memory_of_it() {
        let converse = |memory: &str, history: &str| json!({ "converse": { "turns": [], "memory": memory, "history": history, "max_tokens": 4 } });
        check(Fault::HistoryDropped, &converse("kept", "sent"), &converse("cleared", "last-only"));
        check(Fault::MemoryNotCleared, &converse("cleared", "sent"), &converse("cleared", "sent"));
    }

    #[test]
    fn switches_and_budgets_are_misread() {
        let tags = json!({ "open": "<a>", "close": "</a>" });
        let generate = |max: u32, chat: Value, tags: Option<&Value>| json!({ "generate": { "prompt": { "chat": chat }, "max_tokens": max, "thinking": tags } });
        let off = json!({ "messages": [], "variables": { "enable_thinking": false } });
        let on = json!({ "messages": [], "variables": { "enable_thinking": true } });
        let spec = generate(4, off.clone(), Some(&tags));
        check(Fault::BudgetMiscounted, &spec, &generate(5, off.clone(), Some(&tags)));
        check(Fault::ThinkingLeftOn, &spec, &generate(4, on, Some(&tags)));
        check(Fault::ThoughtNotSplit, &spec, &generate(4, off, None));
    }
}
