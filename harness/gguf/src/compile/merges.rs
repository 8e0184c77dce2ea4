//! The merges of a BPE vocabulary, in an order that keeps every word whole.
//!
//! A word grows from its left end by one character at a time. Words with a space in front come first: only they
//! begin with a space, so nothing can disturb them. Of the others, steps that go on come before steps that begin
//! (longest first, as with SentencePiece), and the first step of a word comes before each first step of another
//! word that could begin inside of it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::CompileError;

/// What a merge puts together.
type Pair = (String, char);

/// The merges, in the order of their ranks, each as "left right". `words` are spelled as in the vocabulary, with
/// `space` for a space.
///
/// # Errors
/// [`CompileError::Tangled`] where no order keeps every word whole.
pub(super) fn merges(words: &[String], space: char) -> Result<Vec<String>, CompileError> {
    let mut spaced = BTreeSet::new();
    let mut going_on = BTreeSet::new();
    for word in words {
        let steps = steps(word).map(|pair| (Reverse(pair.0.chars().count()), pair));
        if word.starts_with(space) {
            spaced.extend(steps);
        } else {
            going_on.extend(steps.filter(|(Reverse(length), _)| *length > 1));
        }
    }
    let unspaced: Vec<&String> = words.iter().filter(|word| !word.starts_with(space)).collect();
    let ordered = spaced.into_iter().chain(going_on).map(|(_, pair)| pair);
    Ok(ordered.chain(beginnings(&unspaced)?).map(|(left, right)| format!("{left} {right}")).collect())
}

/// How a word grows.
fn steps(word: &str) -> impl Iterator<Item = Pair> {
    word.char_indices().skip(1).map(|(at, right)| (word[..at].to_owned(), right))
}

/// The pairs of neighbours in a word.
fn neighbours(word: &str) -> impl Iterator<Item = Pair> {
    word.chars().zip(word.chars().skip(1)).map(|(left, right)| (left.to_string(), right))
}

/// The first steps of all words, each before those that could begin inside its word.
fn beginnings(words: &[&String]) -> Result<Vec<Pair>, CompileError> {
    let first = |word: &String| steps(word).next();
    let mut later: BTreeMap<Pair, BTreeSet<Pair>> =
        words.iter().filter_map(|word| Some((first(word)?, BTreeSet::new()))).collect();
    for word in words {
        let Some(own) = first(word) else { continue };
        let inside: Vec<Pair> =
            neighbours(word).filter(|pair| *pair != own && later.contains_key(pair)).collect();
        later.entry(own).or_default().extend(inside);
    }
    let mut order = Vec::new();
    while !later.is_empty() {
        let free = later.keys().find(|pair| !later.values().any(|after| after.contains(*pair))).cloned();
        let Some(free) = free else {
            let (left, right) = later.keys().next().expect("it is not empty");
            return Err(CompileError::Tangled(format!("{left}{right}")));
        };
        later.remove(&free);
        order.push(free);
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::merges;

    /// BPE as everybody does it: the merge of the lowest rank, the leftmost first, until none is left.
    fn tokens(text: &str, merges: &[String]) -> Vec<String> {
        let ranks: HashMap<&str, usize> =
            merges.iter().enumerate().map(|(rank, merge)| (merge.as_str(), rank)).collect();
        let mut parts: Vec<String> = text.chars().map(String::from).collect();
        loop {
            let ranked = parts.windows(2).enumerate().filter_map(|(at, pair)| {
                Some((*ranks.get(format!("{} {}", pair[0], pair[1]).as_str())?, at))
            });
            let Some((_, at)) = ranked.min() else { return parts };
            let right = parts.remove(at + 1);
            parts[at] += &right;
        }
    }

    fn owned(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn words_that_begin_inside_others_stay_apart() {
        let words =
            owned(&["assistant", "silent", "and", "list", "_silent", "_and", "_a", "_", "?", "stone"]);
        let merges = merges(&words, '_').unwrap();
        for word in &words {
            assert_eq!(tokens(word, &merges), [word.as_str()]);
        }
        assert_eq!(
            tokens("assistant_and_silent_list?", &merges),
            ["assistant", "_and", "_silent", "_", "list", "?"]
        );
        assert_eq!(tokens("_androids", &merges), ["_and", "r", "o", "i", "d", "s"]);
    }

    #[test]
    fn words_that_begin_inside_each_other_are_refused() {
        let error = merges(&owned(&["abcd", "cdab"]), '_').unwrap_err().to_string();
        assert!(error.contains("\"ab\""), "{error}");
    }

    proptest! {
        /// Every word that is accepted stays whole, alone and in a line of words.
        #[test]
        fn every_word_stays_whole(words in prop::collection::vec("_?[a-e]{1,5}", 1..12)) {
            let Ok(merges) = merges(&words, '_') else { return Ok(()) };
            for word in &words {
                prop_assert_eq!(tokens(word, &merges), vec![word.clone()]);
            }
            let spaced: Vec<String> = words.iter().filter(|word| word.starts_with('_')).cloned().collect();
            prop_assert_eq!(tokens(&spaced.concat(), &merges), spaced);
        }
    }
}
