//! Demands on numbers.

use crate::case::CountCheck;
use crate::finding::{Code, Finding};

/// Judges how many of `what` there are.
pub(crate) fn check(what: &str, code: Code, demand: &CountCheck, seen: usize) -> Vec<Finding> {
    let fits = demand.equals.is_none_or(|n| seen == n)
        && demand.at_least.is_none_or(|n| seen >= n)
        && demand.at_most.is_none_or(|n| seen <= n);
    if fits {
        return Vec::new();
    }
    let mut bounds = Vec::new();
    bounds.extend(demand.equals.map(|n| format!("exactly {n}")));
    bounds.extend(demand.at_least.map(|n| format!("at least {n}")));
    bounds.extend(demand.at_most.map(|n| format!("at most {n}")));
    let message = format!("turn {}: {seen} {what}, expected {}", demand.turn, bounds.join(" and "));
    vec![Finding::new(code, message)]
}
