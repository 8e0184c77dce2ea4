//! Where an engine is known to differ from the reference, and why.

use serde::{Deserialize, Serialize};

use crate::Difference;

/// What is known of some renderings of one engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The engine.
    pub engine: String,
    /// The template's name; `*` stands for all.
    pub template: String,
    /// The conversation's name; `*` stands for all.
    pub conversation: String,
    /// The differences that it is about; none: whatever they are.
    #[serde(default)]
    pub differences: Vec<Difference>,
    /// Why it is so.
    pub why: String,
    /// A report or a place in the sources that shows it.
    pub link: String,
}

/// Why the list cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KnownError {
    /// It is no such list.
    #[error("data/known.json: {0}")]
    Json(#[from] serde_json::Error),
    /// An entry is not as it should be.
    #[error("data/known.json, entry {index} (counted from 0): {problem}")]
    Entry {
        /// Which one.
        index: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
}

impl Known {
    /// Whether it says this of an engine's rendering.
    pub fn covers(
        &self,
        engine: &str,
        template: &str,
        conversation: &str,
        differences: &[Difference],
    ) -> bool {
        let fits = |pattern: &str, name: &str| pattern == "*" || pattern == name;
        let about =
            |difference: &Difference| self.differences.is_empty() || self.differences.contains(difference);
        self.engine == engine
            && fits(&self.template, template)
            && fits(&self.conversation, conversation)
            && differences.iter().all(about)
    }

    fn problem(&self) -> Option<&'static str> {
        if self.why.len() < 20 {
            return Some("`why` says too little");
        }
        if !self.link.starts_with("https://") {
            return Some("`link` is no https link");
        }
        None
    }
}

/// The list of this program, sorted.
///
/// # Errors
/// When it is damaged, unsorted, or an entry says too little.
pub fn known() -> Result<Vec<Known>, KnownError> {
    read(include_str!("../../data/known.json"))
}

fn read(text: &str) -> Result<Vec<Known>, KnownError> {
    let list: Vec<Known> = serde_json::from_str(text)?;
    for (index, entry) in list.iter().enumerate() {
        if let Some(problem) = entry.problem() {
            return Err(KnownError::Entry { index, problem });
        }
        let key = |entry: &Known| (entry.engine.clone(), entry.template.clone(), entry.conversation.clone());
        if index > 0 && key(&list[index - 1]) > key(entry) {
            return Err(KnownError::Entry {
                index,
                problem: "it stands out of order: engine, template, conversation",
            });
        }
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(template: &str, more: &str) -> String {
        format!(
            r#"{{"engine": "jinja", "template": "{template}", "conversation": "*", "why": "It is so, for this reason.",
                "link": "https://example.org"{more}}}"#
        )
    }

    #[test]
    fn the_list_is_sound() {
        assert!(!known().unwrap().is_empty());
    }

    #[test]
    fn an_entry_covers_what_it_names() {
        let list = read(&format!("[{}]", entry("a", r#", "differences": ["whitespace", "text"]"#))).unwrap();
        let covers =
            |template, differences: &[Difference]| list[0].covers("jinja", template, "x", differences);
        assert!(covers("a", &[Difference::Whitespace]));
        assert!(!covers("b", &[Difference::Whitespace]));
        assert!(!covers("a", &[Difference::Whitespace, Difference::SystemLost]));
        assert!(!list[0].covers("builtin", "a", "x", &[]));
    }

    #[test]
    fn a_bad_list_is_refused() {
        for (text, expected) in [
            ("[{}]".to_owned(), "missing field"),
            (
                format!("[{},{}]", entry("b", ""), entry("a", "")),
                "entry 1 (counted from 0): it stands out of order",
            ),
            (
                format!("[{}]", entry("b", "")).replace("It is so, for this reason.", "so"),
                "`why` says too little",
            ),
            (format!("[{}]", entry("b", "")).replace("https:", "http:"), "no https link"),
        ] {
            let error = read(&text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
