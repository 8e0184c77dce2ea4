//! The conversations that every template is asked.

use serde_json::Value;

use crate::Conversation;

/// A conversation with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// What it shows.
    pub why: String,
    /// What a template is given.
    pub conversation: Conversation,
}

/// All of them, in the order of `data/conversations.json`. `bos_token` and `eos_token` are those of Llama 2.
///
/// # Panics
/// Never: a test reads them.
#[expect(clippy::expect_used, reason = "the file is part of the program, and a test reads it")]
pub fn conversations() -> Vec<Named> {
    let file: Vec<serde_json::Map<String, Value>> =
        serde_json::from_str(include_str!("../../data/conversations.json")).expect("a list of conversations");
    file.into_iter()
        .map(|mut entry| {
            let mut text = |key: &str| match entry.shift_remove(key) {
                Some(Value::String(text)) => text,
                _ => String::new(),
            };
            let (name, why) = (text("name"), text("why"));
            let conversation = Conversation::new(Value::Object(entry)).expect("a conversation");
            Named { name, why, conversation: conversation.or(&[("bos_token", "<s>"), ("eos_token", "</s>")]) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_has_a_name_of_its_own_and_says_why() {
        let all = conversations();
        let names: BTreeSet<&str> = all.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names.len(), all.len());
        assert!(all.len() >= 20);
        assert!(all.iter().all(|one| !one.name.is_empty() && one.why.ends_with('.')));
    }
}
