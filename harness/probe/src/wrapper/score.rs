//! The distribution after each given token.

use wire::{Layer, Refusal, Score, ScorePath, Turn};

use super::{
    Loaded, TemplateSource,
    answer::{failed, stop},
    generate::check_length,
    prepare,
    sequence::Sequence,
};
use crate::engine::{Context, Outputs};
use crate::refuse::bad_request;

/// Scores the prompt's tokens, and after them the request's forced ones, in an empty context. Other sequences hold the
/// same tokens, each beginning one later.
pub(crate) fn score(
    source: &TemplateSource<'_>,
    loaded: &Loaded,
    context: &mut dyn Context,
    score: &Score,
    forced: &[i32],
    turn: &mut Turn,
) -> Result<(), Refusal> {
    let mut ids = prepare(source, loaded, &score.prompt, turn)?;
    ids.extend_from_slice(forced);
    let mut sequence = Sequence::new(context, loaded, Some(loaded.named(None)?));
    check_length(&sequence, ids.len())?;
    sequence.gap = score.gap as usize;
    let others = (1..score.sequences as usize).map(|by| rotated(&ids, by)).collect();
    if !sequence.accompany(others) {
        let message = format!("a batch has no room for {} sequences; raise n_batch", score.sequences);
        return Err(bad_request(Layer::Prefill, message));
    }
    let (context_only, scored) = ids.split_at(ids.len().min(score.unscored as usize));
    for (part, outputs) in parts(context_only, scored, score.path) {
        let appended = sequence.append(part, outputs, &mut turn.decode_calls)?;
        turn.prefill.extend(appended.positions);
        if let Some(reason) = failed(appended.code) {
            turn.stop = Some(stop(reason));
            break;
        }
    }
    turn.memory = Some(sequence.memory());
    Ok(())
}

/// What is decoded in one go, and whether it is observed.
fn parts<'a>(context_only: &'a [i32], scored: &'a [i32], path: ScorePath) -> Vec<(&'a [i32], Outputs)> {
    let step = match path {
        ScorePath::Prefill => usize::MAX,
        ScorePath::TokenByToken => 1,
    };
    let context_only = context_only.chunks(step).map(|part| (part, Outputs::None));
    context_only.chain(scored.chunks(step).map(|part| (part, Outputs::All))).collect()
}

/// `ids` from the one at `by` on, and after them those before it.
fn rotated(ids: &[i32], by: usize) -> Vec<i32> {
    let by = by % ids.len().max(1);
    [&ids[by..], &ids[..by]].concat()
}
