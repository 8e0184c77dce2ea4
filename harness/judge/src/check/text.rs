//! Demands on texts.

use wire::Turn;

use super::excerpt::{first_difference, quoted};
use crate::case::TextCheck;
use crate::finding::{Code, Finding};

/// Judges a turn's thought. Where an answer came and no thought, it was not told apart.
pub(crate) fn thought(demand: &TextCheck, turn: &Turn) -> Vec<Finding> {
    let code = if demand.absent { Code::ThinkingLeftOn } else { Code::ThinkingDiffers };
    if turn.thinking.is_none() && turn.answer.is_some() && !demand.absent {
        let message = format!("turn {}: no thought was told apart from the answer", demand.turn);
        return vec![Finding::new(code, message)];
    }
    check("thought", code, demand, turn.thinking.as_deref())
}

/// Judges `seen` and names it `what` in messages.
pub(crate) fn check(what: &str, code: Code, demand: &TextCheck, seen: Option<&str>) -> Vec<Finding> {
    let Some(text) = seen else {
        if demand.absent {
            return Vec::new();
        }
        let message = format!("turn {}: there is no {what} to judge", demand.turn);
        return vec![Finding::new(Code::ObservationIncomplete, message)];
    };
    let problems = problems(demand, text).into_iter();
    problems
        .map(|problem| Finding::new(code, format!("turn {}: the {what} {problem}", demand.turn)))
        .collect()
}

/// Whether a text is as a part of it demands.
type Holds = fn(&str, &str) -> bool;

/// How `text` differs from what is demanded, one sentence's end each.
fn problems(demand: &TextCheck, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    if demand.absent {
        problems.push(format!("should not be there: {}", quoted(text)));
    }
    if let Some(expected) = demand.equals.as_ref().filter(|expected| *expected != text) {
        problems.push(format!("is not the right one; {}", first_difference(expected, text)));
    }
    let parts: [(&Option<String>, &str, Holds); 4] = [
        (&demand.contains, "lacks", |text, part| text.contains(part)),
        (&demand.not_contains, "contains", |text, part| !text.contains(part)),
        (&demand.starts_with, "does not begin with", |text, part| text.starts_with(part)),
        (&demand.ends_with, "does not end with", |text, part| text.ends_with(part)),
    ];
    for (part, problem, holds) in parts {
        if let Some(part) = part.as_ref().filter(|part| !holds(text, part)) {
            problems.push(format!("{problem} {}: {}", quoted(part), quoted(text)));
        }
    }
    problems
}
