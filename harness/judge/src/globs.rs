//! Names and globs over names, many times over. It knows nothing of what is named.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use globset::{Glob, GlobMatcher};

/// Every glob that was met, ready to match: making one ready takes longer than a thousand matches. No glob: `None`.
static READY: OnceLock<Mutex<HashMap<String, Option<GlobMatcher>>>> = OnceLock::new();

/// Whether the whole of `text` fits `glob`. What is no glob fits nothing.
pub(crate) fn fits(glob: &str, text: &str) -> bool {
    if !glob.contains(['*', '?', '[', ']', '{', '}', '\\']) {
        return glob == text;
    }
    let mut ready = READY.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    let matcher = match ready.get(glob) {
        Some(matcher) => matcher,
        None => {
            let matcher = Glob::new(glob).ok().map(|glob| glob.compile_matcher());
            ready.entry(glob.to_owned()).or_insert(matcher)
        }
    };
    matcher.as_ref().is_some_and(|matcher| matcher.is_match(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_themselves_and_globs_what_they_say() {
        for (glob, text, expected) in [
            ("a-b", "a-b", true),
            ("a-b", "a-bc", false),
            ("a-*", "a-bc", true),
            ("a-*", "b-a-", false),
            ("Apple Paravirtual*", "Apple Paravirtual device", true),
            ("{a,b}/?", "b/c", true),
            ("[", "[", false),
            ("", "", true),
        ] {
            // The second time it is ready.
            assert_eq!((fits(glob, text), fits(glob, text)), (expected, expected), "{glob} {text}");
        }
    }
}
