//! Demands on what a model file holds.

use wire::{LoadEvidence, VocabToken};

use crate::case::VocabCheck;
use crate::finding::{Code, Finding};

/// Judges what loading showed.
pub(crate) fn check(demand: &VocabCheck, load: &LoadEvidence) -> Vec<Finding> {
    let mut problems = Vec::new();
    let mut fail = |code: Code, message: String| problems.push(Finding::new(code, message));
    for (texts, wanted) in [(&demand.eog, true), (&demand.not_eog, false)] {
        for text in texts {
            match find(load, text) {
                None => {
                    fail(Code::VocabularyDiffers, format!("the vocabulary shows no special token {text:?}"));
                }
                Some(token) if token.eog != wanted => {
                    let is = if token.eog { "ends" } else { "does not end" };
                    fail(Code::VocabularyDiffers, format!("{text:?} (id {}) {is} generation", token.id));
                }
                Some(_) => {}
            }
        }
    }
    if let Some(add_bos) = demand.add_bos
        && add_bos != load.add_bos
    {
        fail(Code::VocabularyDiffers, format!("add_bos is {}, expected {add_bos}", load.add_bos));
    }
    if let Some(bytes) = demand.template_bytes {
        let read = load.template.as_ref().map(String::len);
        if load.template_bytes != Some(bytes) || read != Some(bytes) {
            let message = format!("the chat template has {bytes} bytes, {} were read", read.unwrap_or(0));
            fail(Code::PromptDiffers, message);
        }
    }
    if let Some(eot) = &demand.eot {
        let seen = load.special.iter().find(|token| token.id == load.eot).map_or("", |token| &token.text);
        if seen != eot {
            fail(Code::VocabularyDiffers, format!("llama_vocab_eot names {seen:?}, expected {eot:?}"));
        }
    }
    if let Some(can_shift) = demand.can_shift
        && load.can_shift != Some(can_shift)
    {
        fail(Code::ContextParameter, format!("can_shift is {:?}, expected {can_shift}", load.can_shift));
    }
    if let Some(n_ctx) = demand.n_ctx
        && load.n_ctx != Some(n_ctx)
    {
        fail(Code::ContextParameter, format!("n_ctx is {:?}, expected {n_ctx}", load.n_ctx));
    }
    problems
}

fn find<'a>(load: &'a LoadEvidence, text: &str) -> Option<&'a VocabToken> {
    load.special.iter().find(|token| token.text == text)
}
