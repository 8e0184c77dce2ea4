//! What a wrapper cannot be asked, since it would not show it.

use wire::{Capability, Card, Chat, Config, Prompt, Stimulus};

use crate::case::{Case, Check};

/// Why the subject of `card` cannot show what `case` looks at, where it has every capability that is needed to be
/// asked: somebody's wrapper, whose model is loaded as it likes, or which shows texts alone.
pub fn not_shown(case: &Case, card: &Card) -> Option<&'static str> {
    let lacks = |capability| !card.capabilities.contains(&capability);
    if lacks(Capability::Load) {
        let loaded = case.config != Config { engine: case.config.engine, ..Config::default() };
        if loaded || case.adapter.is_some() {
            return Some("loads its model as it likes, and this case says how");
        }
        // Such cases put a mistake themselves, to see it found: a wrapper that is right makes none.
        if !case.expects.is_empty() {
            return Some("is a wrapper, and this case shows a mistake of another one");
        }
    }
    if foreign_template(case, card) {
        return Some("has no template engine of that name");
    }
    let needs = |check: &Check| match check {
        Check::Bos(_) | Check::Vocab(_) | Check::Overflow(_) | Check::Memory(_) => Some(Capability::Inspect),
        Check::Tokens(_) | Check::ControlTokens(_) | Check::Generated(_) => Some(Capability::Tokenize),
        _ => None,
    };
    let unseen = case.checks.iter().filter_map(needs).find(|needed| lacks(*needed))?;
    Some(match unseen {
        Capability::Inspect => "does not show the vocabulary and the memory that this case looks at",
        _ => "does not show the tokens that this case looks at",
    })
}

/// Whether the case asks for a template engine that the card does not name. Old cards name none.
fn foreign_template(case: &Case, card: &Card) -> bool {
    let engine = chat(&case.stimulus).map(|chat| chat.engine);
    engine.is_some_and(|engine| !card.template_engines.is_empty() && !card.template_engines.contains(&engine))
}

fn chat(stimulus: &Stimulus) -> Option<&Chat> {
    match stimulus {
        Stimulus::Render(chat) => Some(chat),
        Stimulus::Converse(spec) => Some(&spec.chat),
        Stimulus::Generate(spec) => chat_of(&spec.prompt),
        Stimulus::Score(spec) => chat_of(&spec.prompt),
        _ => None,
    }
}

fn chat_of(prompt: &Prompt) -> Option<&Chat> {
    match prompt {
        Prompt::Chat(chat) => Some(chat),
        _ => None,
    }
}
