//! How far a tensor is from its counterpart, and how much of that its inputs explain.

use wire::{Digest, GraphNode, GraphTensor};

use super::bounds::bound;

/// How much larger an operator may make the error of its inputs: tenfold in amplitude, whatever its weights are.
pub(super) const GAIN: f64 = 100.0;

/// Largest relative step of rounding to a quantised type, of which any value may take one more or one less.
const STEP: f64 = 0.1;

/// Normalised mean squared error of a tensor, estimated from digests; infinite where the values that are not finite
/// are not the same, and 1 where numbers that only count (token ids, chosen experts) are not all equal.
pub(super) fn nmse(ours: &GraphTensor, reference: &GraphTensor) -> Option<f64> {
    if ours.shape != reference.shape {
        return None;
    }
    let error = of_digests(ours.digest.as_ref()?, reference.digest.as_ref()?);
    Some(if counts(reference) && error > 0.0 { 1.0 } else { error })
}

/// Whether a tensor holds whole numbers: ids, positions, chosen experts.
fn counts(tensor: &GraphTensor) -> bool {
    ["i8", "i16", "i32", "i64"].contains(&tensor.kind.as_str())
}

/// As [`nmse`], of any two digests.
pub(super) fn of_digests(ours: &Digest, reference: &Digest) -> f64 {
    if (ours.nan, ours.infinite) != (reference.nan, reference.infinite) {
        return f64::INFINITY;
    }
    let distance2 = ours.sketch.distance2(&reference.sketch);
    match distance2 {
        0.0 => 0.0,
        distance2 if distance2.is_nan() => f64::INFINITY,
        distance2 => distance2 / reference.length2.max(f64::MIN_POSITIVE),
    }
}

/// An input of a node: its error, and what it holds in the reference.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub(super) error: f64,
    pub(super) tensor: Option<&'a GraphTensor>,
}

/// The largest error of `node`'s result that its inputs explain: what an operator may make of their errors.
///
/// An error counts relative to what it is an error of. Where an operator's result can be much smaller than its input
/// (a sum that cancels, a part of a tensor, an activation that is almost off) the same error is relatively larger, by
/// the ratio of their squared lengths. A softmax makes relative errors of absolute ones: twice its scaled input's.
pub(super) fn explained(node: &GraphNode, sources: &[Source<'_>]) -> f64 {
    let softmax = softmax_gain(node, sources);
    let amplified = |source: &Source<'_>| source.error * shrinking(node, source).max(softmax);
    let inherited = sources.iter().map(amplified).fold(0.0, f64::max);
    if counts(&node.result) && inherited > 0.0 {
        // Two that are nearly equal may change places.
        return f64::INFINITY;
    }
    let rounding = if node.result.kind.starts_with('q') { STEP * inherited.min(1.0).sqrt() } else { 0.0 };
    GAIN * inherited + rounding
}

/// The largest error of `node`'s result that is no news: what its inputs explain, and what backends may differ by.
pub(super) fn allowed(node: &GraphNode, sources: &[Source<'_>]) -> f64 {
    bound(&node.result.tensor.op) + explained(node, sources)
}

fn shrinking(node: &GraphNode, source: &Source<'_>) -> f64 {
    const LIPSCHITZ: [&str; 12] = [
        "ADD", "ADD1", "ADD_ID", "CONCAT", "CONT", "CPY", "GET_ROWS", "GLU", "SUB", "SUM_ROWS", "UNARY",
        "VIEW",
    ];
    let lengths = source.tensor.and_then(|tensor| tensor.digest.as_ref()).zip(node.result.digest.as_ref());
    match lengths {
        Some((input, result)) if LIPSCHITZ.contains(&node.result.tensor.op.as_str()) => {
            (input.length2 / result.length2.max(f64::MIN_POSITIVE)).max(1.0)
        }
        _ => 1.0,
    }
}

/// 1 where there is no softmax; else four times the mean square of what it is taken of, at least 1.
fn softmax_gain(node: &GraphNode, sources: &[Source<'_>]) -> f64 {
    let mean2 = |index: usize| {
        let tensor = sources.get(index)?.tensor?;
        let count = tensor.shape.iter().product::<i64>().max(1) as f64;
        Some(tensor.digest.as_ref()?.length2 / count)
    };
    let scale = node.params.first().map_or(1.0, |bits| f64::from(f32::from_bits(bits.cast_unsigned())));
    let input = match node.result.tensor.op.as_str() {
        "SOFT_MAX" => mean2(0),
        "FLASH_ATTN_EXT" => {
            let size =
                sources.first().and_then(|query| query.tensor).map_or(1.0, |query| query.shape[0] as f64);
            mean2(0).zip(mean2(1)).map(|(query, key)| size * query * key)
        }
        _ => None,
    };
    input.map_or(1.0, |input| (4.0 * scale * scale * input).max(1.0))
}
