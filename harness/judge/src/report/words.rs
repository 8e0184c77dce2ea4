//! Small words.

/// `1 case`, `2 cases`.
pub fn plural(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}

/// The family of a case: the first part of its id.
pub(super) fn family(case: &str) -> &str {
    case.split('/').next().unwrap_or_default()
}
