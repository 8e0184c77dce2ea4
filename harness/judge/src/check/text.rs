//! Demands on texts.

use wire::Turn;

use super::excerpt::{first_difference, quoted};
use crate::case::TextCheck;
use crate::finding::{Code, Finding};

/// Judges a turn's thought. Where an answer came and no thought, it was not told apart.
pub(crate) fn thought(code: Code, demand: &TextCheck, turn: &Turn) -> Vec<Finding> {
    if turn.thinking.is_none() && turn.answer.is_some() && !demand.absent {
        let message = format!("turn {}: no thought was told apart from the answer", demand.turn);
        return vec![Finding::new(code, message)];
    }
    check("thought", code, demand, turn.thinking.as_deref())
}

/// Judges `seen` and names it `what` in messages.
pub(crate) fn check(what: &str, code: Code, demand: &TextCheck, seen: Option<&str>) -> Vec<Finding> {
    let mut problems = Vec::new();
    let Some(text) = seen else {
        if !demand.absent {
            let message = format!("turn {}: there is no {what} to judge", demand.turn);
            problems.push(Finding::new(Code::ObservationIncomplete, message));
        }
        return problems;
    };
    let mut fail = |message: String| {
        problems.push(Finding::new(code, format!("turn {}: the {what} {message}", demand.turn)));
    };
    if demand.absent {
        fail(format!("should not be there: {}", quoted(text)));
    }
    if let Some(expected) = &demand.equals
        && expected != text
    {
        fail(format!("is not the right one; {}", first_difference(expected, text)));
    }
    if let Some(part) = &demand.contains
        && !text.contains(part)
    {
        fail(format!("lacks {}: {}", quoted(part), quoted(text)));
    }
    if let Some(part) = &demand.not_contains
        && text.contains(part)
    {
        fail(format!("contains {}: {}", quoted(part), quoted(text)));
    }
    if let Some(start) = &demand.starts_with
        && !text.starts_with(start)
    {
        fail(format!("does not begin with {}: {}", quoted(start), quoted(text)));
    }
    if let Some(end) = &demand.ends_with
        && !text.ends_with(end)
    {
        fail(format!("does not end with {}: {}", quoted(end), quoted(text)));
    }
    problems
}
