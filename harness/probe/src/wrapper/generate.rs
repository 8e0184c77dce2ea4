//! One answer to one prompt.

use wire::{Generate, Layer, Refusal, RefusalCode, Turn};

use super::{
    Loaded, TemplateSource,
    answer::{Answering, failed, stop},
    forced::Forced,
    prepare,
    sequence::Sequence,
};
use crate::{
    engine::{Context, Outputs},
    refuse::refuse,
};

/// Answers `generate.prompt` in an empty context and fills `turn`; what was seen before a refusal stays in it.
pub(crate) fn generate(
    source: &TemplateSource<'_>,
    loaded: &Loaded,
    context: &mut dyn Context,
    generate: &Generate,
    forced: &mut Forced,
    turn: &mut Turn,
) -> Result<(), Refusal> {
    let ids = prepare(source, loaded, &generate.prompt, turn)?;
    let named = if generate.score { Some(loaded.named(generate.thinking.as_ref())?) } else { None };
    let mut sequence = Sequence::new(context, loaded, named);
    check_length(&sequence, ids.len())?;
    let appended = sequence.append(&ids, Outputs::Last, &mut turn.decode_calls)?;
    turn.prefill = appended.positions;
    match failed(appended.code) {
        Some(reason) => turn.stop = Some(stop(reason)),
        None => Answering {
            loaded,
            max_tokens: generate.max_tokens,
            stop_strings: &generate.stop_strings,
            thinking: generate.thinking.as_ref(),
        }
        .run(&mut sequence, forced, turn)?,
    }
    turn.memory = Some(sequence.memory());
    Ok(())
}

/// A single prompt that the empty context cannot hold is refused before any of it is decoded. (In a conversation
/// the context fills up over the turns, so there llama.cpp's own return code is what counts.)
pub(crate) fn check_length(sequence: &Sequence<'_>, tokens: usize) -> Result<(), Refusal> {
    let n_ctx = sequence.n_ctx();
    if tokens <= n_ctx {
        return Ok(());
    }
    Err(refuse(
        Layer::Prefill,
        RefusalCode::PromptTooLong,
        format!("the prompt has {tokens} tokens, the context {n_ctx}; raise n_ctx or shorten the prompt"),
    ))
}
