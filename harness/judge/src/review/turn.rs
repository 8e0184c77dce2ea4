//! Two turns, layer by layer.

use wire::{Token, Turn};

use crate::check::excerpt::{first_index, quoted};
use crate::evidence::positions;
use crate::report::plural;

/// What one turn of a new golden says.
pub(super) fn described(turn: &Turn) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(prompt) = &turn.prompt {
        let tokens = match turn.prompt_tokens.len() {
            0 => String::new(),
            count => format!(" ({})", plural(count, "token")),
        };
        lines.push(format!("prompt {}{tokens}", quoted(prompt)));
    }
    for (what, text) in [("thought", &turn.thinking), ("answer", &turn.answer)] {
        lines.extend(text.as_ref().map(|text| format!("{what} {}", quoted(text))));
    }
    if let Some(stop) = &turn.stop {
        let after = plural(turn.generated.len(), "token");
        lines.push(format!("stop reason {}, after {after}", stop.reason.name()));
    } else if !turn.prefill.is_empty() {
        lines.push(format!("{} scored", plural(turn.prefill.len(), "position")));
    }
    lines
}

/// What is other in `new` than in `old`.
pub(super) fn changes(old: &Turn, new: &Turn) -> Vec<String> {
    let mut changes = Vec::new();
    for (what, old, new) in [
        ("prompt", &old.prompt, &new.prompt),
        ("thought", &old.thinking, &new.thinking),
        ("answer", &old.answer, &new.answer),
    ] {
        changes.extend(text(what, old.as_deref(), new.as_deref()));
    }
    changes.extend(tokens("prompt token", &old.prompt_tokens, &new.prompt_tokens));
    let (was, is) = (old.stop.as_ref(), new.stop.as_ref());
    if was != is {
        let name = |stop: Option<&wire::Stop>| stop.map_or("none", |stop| stop.reason.name());
        let same_reason = name(was) == name(is);
        changes.push(match same_reason {
            true => format!("stop reason {}, by another token or string", name(is)),
            false => format!("stop reason {} → {}", name(was), name(is)),
        });
    }
    changes.extend(tokens("generated token", &old.generated, &new.generated));
    changes.extend(numbers(old, new));
    changes
}

fn text(what: &str, old: Option<&str>, new: Option<&str>) -> Option<String> {
    if old == new {
        return None;
    }
    let (Some(old), Some(new)) = (old, new) else {
        let now = new.map_or("gone".to_owned(), |new| format!("there now: {}", quoted(new)));
        return Some(format!("{what} {now}"));
    };
    let at: usize =
        old.chars().zip(new.chars()).take_while(|(a, b)| a == b).map(|(letter, _)| letter.len_utf8()).sum();
    Some(format!("{what} changed at byte {at}: {} → {}", rest(&old[at..]), rest(&new[at..])))
}

/// The beginning of what follows.
fn rest(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        _ if text.is_empty() => "the end".to_owned(),
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

fn tokens(what: &str, old: &[Token], new: &[Token]) -> Option<String> {
    let ids = |tokens: &[Token]| tokens.iter().map(|token| token.id).collect::<Vec<_>>();
    if ids(old) == ids(new) {
        return None;
    }
    let at = first_index(&ids(old), &ids(new));
    let name =
        |tokens: &[Token]| tokens.get(at).map_or("none".to_owned(), |token| format!("{:?}", token.piece));
    let count =
        if old.len() == new.len() { String::new() } else { format!(" ({} → {})", old.len(), new.len()) };
    Some(format!("{what} {} changed: {} → {}{count}", at + 1, name(old), name(new)))
}

fn numbers(old: &Turn, new: &Turn) -> Option<String> {
    let positions = positions(new, old, usize::MAX);
    let differs = (&old.prefill, &old.decode) != (&new.prefill, &new.decode);
    if !differs || positions.is_empty() {
        return differs
            .then(|| "distributions changed, and cannot be compared: they follow other tokens".to_owned());
    }
    let count = positions.len();
    let other: Vec<_> = positions.iter().filter(|position| position.other_top).collect();
    let top = match other.first() {
        None => format!("top-1 unchanged at {}, ", plural(count, "position")),
        Some(first) => {
            format!(
                "top-1 changed at {} of {}, first after {:?}; ",
                other.len(),
                plural(count, "position"),
                first.after
            )
        }
    };
    let unknown = positions.iter().filter(|position| position.kl.is_none()).count();
    let worst = positions.iter().filter_map(|position| position.kl).fold(0.0, f64::max);
    let worst = if worst != 0.0 && worst < 1e-3 { format!("{worst:.0e}") } else { worst.to_string() };
    let unknown = if unknown > 0 { format!(", at {unknown} not finite") } else { String::new() };
    Some(format!("{top}KL at most {worst}{unknown}"))
}
