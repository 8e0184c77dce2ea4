//! Real vocabularies against the token vectors that their own implementations gave.

use std::collections::BTreeMap;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use wire::{Ending, LoadEvidence, Observation, Stimulus, Tokenize, VocabToken};

use super::Vocabulary;
use crate::render::Engines;

/// What may be wrong, and is told; more of the same kind is only counted.
const TOLD: usize = 3;

/// What was seen of one vocabulary.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Soundness {
    /// Its name.
    pub(crate) name: String,
    /// Texts that were tokenised.
    pub(crate) vectors: usize,
    /// Control and user-defined tokens that were looked at.
    pub(crate) special: usize,
    /// The ids that end an answer.
    pub(crate) eog: Vec<i32>,
    /// What is wrong with it.
    pub(crate) problems: Vec<String>,
}

/// Which tokens end an answer: ids, and their texts.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ends {
    /// Those of the model's authors.
    ends: BTreeMap<i32, String>,
    /// Those that llama.cpp adds, because their text looks like an end, and what they are.
    #[serde(default)]
    besides: BTreeMap<i32, String>,
}

impl Ends {
    /// All ids, ascending.
    fn all(&self) -> Vec<i32> {
        let mut all: Vec<i32> = self.ends.keys().chain(self.besides.keys()).copied().collect();
        all.sort_unstable();
        all
    }
}

/// Looks at one vocabulary: its vectors, its special tokens, whether texts come back, and which tokens end an answer.
/// `expected` are the tokens of eog.json; a vocabulary of BERT's has no answers to end.
///
/// # Errors
/// When the probe cannot be asked.
pub(crate) fn look(
    vocabulary: &Vocabulary,
    expected: &BTreeMap<String, Ends>,
    engines: &mut Engines,
) -> Result<Soundness> {
    let inspected = engines.ask_vocabulary(&vocabulary.path, Stimulus::Inspect {})?;
    let mut found = Problems::default();
    let Some(load) = inspected.load.as_ref().filter(|_| inspected.ending == Ending::Completed) else {
        let problems = vec![format!("it does not load: {:?}", inspected.ending)];
        return Ok(Soundness { name: vocabulary.name.clone(), problems, ..Soundness::default() });
    };
    let returns = returns_texts(load);
    for (text, ids) in &vocabulary.vectors {
        let seen = tokenize(vocabulary, text, false, engines)?;
        let given: Vec<i32> = tokens(&seen).map(|token| token.id).collect();
        if given != *ids {
            found.add("vector", format!("{text:?} is {given:?}, not {ids:?}"));
        }
        let back: Vec<u8> = tokens(&seen).flat_map(|token| token.piece.0.clone()).collect();
        if returns && !is_the_same(&back, text.as_bytes()) {
            found.add("text", format!("{text:?} comes back as {:?}", String::from_utf8_lossy(&back)));
        }
    }
    for token in &load.special {
        look_at_special(vocabulary, token, engines, &mut found)?;
    }
    match expected.get(&vocabulary.name).map(Ends::all) {
        Some(eog) if eog == load.eog => {}
        Some(eog) => found.add("end", format!("{:?} end an answer, not {eog:?}", load.eog)),
        None if !returns => {}
        None => {
            found.add("end", format!("{:?} end an answer, and eog.json does not say which should", load.eog));
        }
    }
    Ok(Soundness {
        name: vocabulary.name.clone(),
        vectors: vocabulary.vectors.len(),
        special: load.special.len(),
        eog: load.eog.clone(),
        problems: found.told(),
    })
}

/// Whether its tokens give texts back. BERT's lower-case them and take the accents off.
fn returns_texts(load: &LoadEvidence) -> bool {
    load.metadata.get("tokenizer.ggml.model").is_none_or(|kind| kind != "bert")
}

/// SentencePiece puts a space before a text.
fn is_the_same(back: &[u8], text: &[u8]) -> bool {
    back == text || back.strip_prefix(b" ") == Some(text)
}

fn tokens(seen: &Observation) -> impl Iterator<Item = &wire::Token> {
    seen.turns.iter().flat_map(|turn| &turn.prompt_tokens)
}

fn tokenize(
    vocabulary: &Vocabulary,
    text: &str,
    parse_special: bool,
    engines: &mut Engines,
) -> Result<Observation> {
    let tokenize = Tokenize { text: text.to_owned(), add_special: false, parse_special };
    engines.ask_vocabulary(&vocabulary.path, Stimulus::Tokenize(tokenize))
}

/// The text of a control token is that one token where it is to be parsed.
fn look_at_special(
    vocabulary: &Vocabulary,
    token: &VocabToken,
    engines: &mut Engines,
    found: &mut Problems,
) -> Result<()> {
    if token.text.is_empty() {
        return Ok(());
    }
    let seen = tokenize(vocabulary, &token.text, true, engines)?;
    let given: Vec<i32> = tokens(&seen).map(|token| token.id).collect();
    if given != [token.id] {
        found.add("special token", format!("{} ({:?}) is {given:?}", token.id, token.text));
    }
    Ok(())
}

/// What is wrong, by kind.
#[derive(Default)]
struct Problems(BTreeMap<&'static str, Vec<String>>);

impl Problems {
    fn add(&mut self, kind: &'static str, what: String) {
        self.0.entry(kind).or_default().push(what);
    }

    fn told(self) -> Vec<String> {
        let mut told = Vec::new();
        for (kind, all) in self.0 {
            told.extend(all.iter().take(TOLD).map(|what| format!("{kind}: {what}")));
            if all.len() > TOLD {
                told.push(format!("{kind}: {} more", all.len() - TOLD));
            }
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_a_kind_are_told() {
        let mut found = Problems::default();
        for index in 0..5 {
            found.add("vector", index.to_string());
        }
        found.add("end", "x".to_owned());
        assert_eq!(found.told(), ["end: x", "vector: 0", "vector: 1", "vector: 2", "vector: 2 more"]);
    }

    #[test]
    fn a_space_may_come_first() {
        assert!(is_the_same(b"a", b"a") && is_the_same(b" a", b"a"));
        assert!(!is_the_same(b"  a", b"a") && !is_the_same(b"b", b"a"));
    }
}
