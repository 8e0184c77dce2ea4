//! Distributions beside those that were expected.

use wire::{Position, Turn};

use super::PositionEvidence;
use crate::check::excerpt::first_index;
use crate::numbers::{Distance, top_margin};

/// The positions that `ours` and `expected` share: those of the prompt, where its tokens agree, and then those of the
/// answer up to the first other token. At most `most`.
pub(crate) fn positions(ours: &Turn, expected: &Turn, most: usize) -> Vec<PositionEvidence> {
    let ids = |tokens: &[wire::Token]| tokens.iter().map(|token| token.id).collect::<Vec<_>>();
    if ids(&ours.prompt_tokens) != ids(&expected.prompt_tokens) {
        return Vec::new();
    }
    let steps = first_index(&ids(&ours.generated), &ids(&expected.generated));
    let decode = ours.decode.iter().zip(&expected.decode).take(steps);
    let prefill = ours.prefill.iter().zip(&expected.prefill);
    let pairs = prefill.map(|pair| (pair, true)).chain(decode.map(|pair| (pair, false)));
    let mut positions: Vec<PositionEvidence> = Vec::new();
    for (index, ((seen, wanted), is_prompt)) in pairs.take(most).enumerate() {
        let token = if is_prompt {
            // The prompt's distributions are those after its last tokens.
            (ours.prompt_tokens.len() + index)
                .checked_sub(ours.prefill.len())
                .and_then(|at| ours.prompt_tokens.get(at))
        } else {
            ours.generated.get(index - ours.prefill.len().min(expected.prefill.len()))
        };
        let after = token.map(|token| token.piece.lossy()).unwrap_or_default();
        positions.push(PositionEvidence { after, ..beside(seen, wanted) });
    }
    positions
}

fn beside(seen: &Position, expected: &Position) -> PositionEvidence {
    let distance = Distance::between(seen, expected);
    let margin = |position: &Position| rounded(f64::from(top_margin(position)));
    PositionEvidence {
        pos: seen.pos,
        after: String::new(),
        kl: distance.and_then(|distance| rounded(distance.kl)),
        nmse: distance.and_then(|distance| rounded(distance.nmse)),
        margin: margin(seen),
        expected_margin: margin(expected),
        other_top: seen.top.first().map(|top| top.0) != expected.top.first().map(|top| top.0),
    }
}

/// Three digits; `None` for what is no finite number, which JSON cannot hold.
fn rounded(number: f64) -> Option<f64> {
    number.is_finite().then(|| format!("{number:.2e}").parse().unwrap_or(number))
}

#[cfg(test)]
mod tests {
    use wire::Token;

    use super::*;

    fn token(id: i32) -> Token {
        Token { id, piece: format!("t{id}").as_str().into(), kind: wire::TokenKind::Normal }
    }

    fn turn(prompt: &[i32], generated: &[i32], logits: [f32; 3]) -> Turn {
        let at = |pos: usize| Position::of(pos as i32, &logits, &[], None);
        Turn {
            prompt_tokens: prompt.iter().copied().map(token).collect(),
            generated: generated.iter().copied().map(token).collect(),
            prefill: vec![at(prompt.len() - 1)],
            decode: (0..generated.len()).map(|step| at(prompt.len() + step)).collect(),
            ..Turn::default()
        }
    }

    fn shown(ours: &Turn, expected: &Turn, most: usize) -> Vec<(i32, String)> {
        positions(ours, expected, most).into_iter().map(|position| (position.pos, position.after)).collect()
    }

    #[test]
    fn they_are_shown_up_to_the_first_other_token() {
        let (ours, expected) =
            (turn(&[1, 2], &[3, 4, 5], [1.0, 2.0, 3.0]), turn(&[1, 2], &[3, 9, 5], [1.0, 3.0, 2.0]));
        assert_eq!(shown(&ours, &expected, 9), [(1, "t2".to_owned()), (2, "t3".to_owned())]);
        assert_eq!(shown(&ours, &expected, 1), [(1, "t2".to_owned())]);
        assert_eq!(shown(&ours, &turn(&[1, 7], &[3], [0.0; 3]), 9), []);
        assert!(positions(&ours, &expected, 9).iter().all(|position| position.other_top));
    }

    #[test]
    fn what_is_no_number_is_left_out() {
        let ours = turn(&[1], &[], [f32::NAN, 1.0, 0.0]);
        let seen = &positions(&ours, &turn(&[1], &[], [1.0, 0.5, 0.0]), 9)[0];
        assert_eq!((seen.kl, seen.expected_margin), (None, Some(0.5)));
        assert_eq!(rounded(0.000_123_456), Some(0.000_123));
        assert_eq!(rounded(f64::INFINITY), None);
    }
}
