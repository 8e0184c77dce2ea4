//! What a recording calls an answer.

/// Stands between an item's name and the number of a further attempt.
const AGAIN: &str = " again ";

/// The key of the `attempt`-th answer, counted from 1, to the item called `name`.
pub fn key_of_attempt(name: &str, attempt: usize) -> String {
    if attempt == 1 { name.to_owned() } else { format!("{name}{AGAIN}{attempt}") }
}

/// The name of the item that the answer with `key` belongs to.
pub fn item_of_key(key: &str) -> &str {
    match key.rsplit_once(AGAIN) {
        Some((name, attempt)) if attempt.parse::<usize>().is_ok_and(|attempt| attempt > 1) => name,
        _ => key,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_leads_back_to_its_item() {
        for name in ["cpu/-/eog/x", "cpu/again 2/eog/x", "cpu/m again/x again", "", "x again 1"] {
            for attempt in 1..4 {
                assert_eq!(item_of_key(&key_of_attempt(name, attempt)), name);
            }
        }
        assert_ne!(key_of_attempt("x", 1), key_of_attempt("x", 2));
    }
}
