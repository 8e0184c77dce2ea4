//! Where a subject comes from, in the words that ask it once more.

use std::sync::Arc;

use super::{Item, Target};

/// Where a subject comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// A backend, built here from the pinned llama.cpp: its name says everything.
    #[default]
    Backend,
    /// The same, built from the llama.cpp checkout that was typed so.
    Source(String),
    /// A program that was typed so.
    Carried(String),
}

impl Item {
    /// The flags that ask its subject, and the reference with which its answer is compared; `None` where that is the
    /// subject's backend alone.
    pub fn asked_with(&self) -> Option<String> {
        // A variant may be compared with the subject's own answer.
        let other = |reference: &&Arc<Target>| reference.name != self.target.name;
        let reference = self.reference.as_ref().filter(other).filter(|_| self.case.has_reference());
        let built = [reference, Some(&self.target)].into_iter().flatten();
        let built = built.filter(|target| !matches!(target.origin, Origin::Carried(_)));
        let names: Vec<&str> = built.map(|target| target.name.as_str()).collect();
        let mut words = match &self.target.origin {
            Origin::Backend if names == [self.target.name.as_str()] => return None,
            Origin::Backend => Vec::new(),
            Origin::Source(dir) => vec![format!("--llama-src {}", quoted(dir))],
            Origin::Carried(program) => vec![format!("--probe {}", quoted(program))],
        };
        if !names.is_empty() {
            words.push(format!("--backend {}", names.join(",")));
        }
        Some(words.join(" "))
    }
}

/// `word` as a shell needs it.
fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), String::from)
}
