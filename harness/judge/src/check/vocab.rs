//! Demands on what a model file holds.

use wire::{LoadEvidence, VocabToken};

use crate::case::VocabCheck;
use crate::finding::{Code, Finding};

/// Judges what loading showed.
pub(crate) fn check(demand: &VocabCheck, load: &LoadEvidence) -> Vec<Finding> {
    let mut problems = ends(demand, load);
    let mut fail = |code: Code, message: String| problems.push(Finding::new(code, message));
    if let Some(add_bos) = demand.add_bos.filter(|add_bos| *add_bos != load.add_bos) {
        fail(Code::VocabularyDiffers, format!("add_bos is {}, expected {add_bos}", load.add_bos));
    }
    let read = load.template.as_ref().map(String::len);
    if let Some(bytes) = demand.template_bytes
        && (load.template_bytes != Some(bytes) || read != Some(bytes))
    {
        let message = format!("the chat template has {bytes} bytes, {} were read", read.unwrap_or(0));
        fail(Code::PromptDiffers, message);
    }
    let eot = load.special.iter().find(|token| token.id == load.eot).map_or("", |token| &token.text);
    if let Some(wanted) = demand.eot.as_ref().filter(|wanted| *wanted != eot) {
        fail(Code::VocabularyDiffers, format!("llama_vocab_eot names {eot:?}, expected {wanted:?}"));
    }
    if let Some(can_shift) = demand.can_shift.filter(|can_shift| load.can_shift != Some(*can_shift)) {
        fail(Code::ContextParameter, format!("can_shift is {:?}, expected {can_shift}", load.can_shift));
    }
    if let Some(n_ctx) = demand.n_ctx.filter(|n_ctx| load.n_ctx != Some(*n_ctx)) {
        fail(Code::ContextParameter, format!("n_ctx is {:?}, expected {n_ctx}", load.n_ctx));
    }
    problems
}

/// Tokens that must end generation, and tokens that must not.
fn ends(demand: &VocabCheck, load: &LoadEvidence) -> Vec<Finding> {
    let wanted = demand.eog.iter().map(|text| (text, true));
    let unwanted = demand.not_eog.iter().map(|text| (text, false));
    let problem = |(text, wanted): (&String, bool)| match find(load, text) {
        None => Some(format!("the vocabulary shows no special token {text:?}")),
        Some(token) if token.eog != wanted => {
            let is = if token.eog { "ends" } else { "does not end" };
            Some(format!("{text:?} (id {}) {is} generation", token.id))
        }
        Some(_) => None,
    };
    let problems = wanted.chain(unwanted).filter_map(problem);
    problems.map(|message| Finding::new(Code::VocabularyDiffers, message)).collect()
}

fn find<'a>(load: &'a LoadEvidence, text: &str) -> Option<&'a VocabToken> {
    load.special.iter().find(|token| token.text == text)
}
