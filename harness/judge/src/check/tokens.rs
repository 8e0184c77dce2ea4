//! Demands on the prompt's tokens.

use std::collections::BTreeMap;

use wire::{LoadEvidence, Piece, Token, TokenKind, Turn};

use super::excerpt::first_index;
use crate::case::{CountCheck, TokensCheck};
use crate::finding::{Code, Finding};

/// The tokens' texts, one after the other.
pub(crate) fn pieces(demand: &TokensCheck, turn: &Turn) -> Vec<Finding> {
    let seen: Vec<Piece> = turn.prompt_tokens.iter().map(|token| token.piece.clone()).collect();
    if seen == demand.equals {
        return Vec::new();
    }
    let at = first_index(&seen, &demand.equals);
    let show = |list: &[Piece]| list.get(at).map_or("the end".to_owned(), |piece| format!("{piece:?}"));
    let message = format!(
        "turn {}: the tokens part at index {at}: expected {}, saw {} ({} tokens expected, {} seen)",
        demand.turn,
        show(&demand.equals),
        show(&seen),
        demand.equals.len(),
        seen.len()
    );
    vec![Finding::new(Code::TokensDiffer, message)]
}

/// How many BOS tokens stand at the front.
pub(crate) fn bos(demand: &CountCheck, turn: &Turn, load: &LoadEvidence) -> Vec<Finding> {
    let count = leading_bos(&turn.prompt_tokens, load.bos);
    let code = match demand.equals.or(demand.at_least) {
        Some(wanted) if count < wanted => Code::MissingBos,
        _ => Code::DoubleBos,
    };
    super::count::check("BOS tokens at the front of the prompt", code, demand, count)
}

/// BOS tokens at the front of `tokens`.
pub(crate) fn leading_bos(tokens: &[Token], bos: i32) -> usize {
    if bos < 0 { 0 } else { tokens.iter().take_while(|token| token.id == bos).count() }
}

/// How often each control token stands in the prompt, each as one token.
pub(crate) fn control(demand: &BTreeMap<String, usize>, turn: &Turn) -> Vec<Finding> {
    let special = |token: &&Token| matches!(token.kind, TokenKind::Control | TokenKind::UserDefined);
    let mut problems = Vec::new();
    for (text, &wanted) in demand {
        let piece = Piece::from(text.as_str());
        let seen = turn.prompt_tokens.iter().filter(special).filter(|token| token.piece == piece).count();
        if seen == wanted {
            continue;
        }
        let code = if seen < wanted { Code::SpecialTokenSplit } else { Code::UserTextBecameControl };
        problems.push(Finding::new(
            code,
            format!("the prompt's tokens hold {text:?} {seen} times as a control token, expected {wanted}"),
        ));
    }
    problems
}
