//! What a model sees of a prompt: tokens, the control tokens among them marked.

use std::collections::BTreeMap;

use serde::Serialize;
use wire::{Observation, Token, TokenKind};

/// The tokens of a prompt.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tokens {
    all: Vec<Token>,
    bos: i32,
}

/// Its form for programs.
#[derive(Debug, Serialize)]
pub(crate) struct TokensJson {
    /// In order.
    tokens: Vec<TokenJson>,
    /// How many of them are BOS.
    bos: usize,
}

#[derive(Debug, Serialize)]
struct TokenJson {
    id: i32,
    text: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    control: bool,
}

impl Tokens {
    /// Those of the first turn of an observation.
    pub(super) fn of(seen: &Observation) -> Option<Self> {
        let all = seen.turns.first()?.prompt_tokens.clone();
        Some(Self { all, bos: seen.load.as_ref()?.bos })
    }

    /// Whether a model sees the same.
    pub(crate) fn same(&self, other: &Self) -> bool {
        self.all.iter().map(|token| token.id).eq(other.all.iter().map(|token| token.id))
    }

    /// How many are BOS.
    pub(crate) fn bos(&self) -> usize {
        self.all.iter().filter(|token| token.id == self.bos).count()
    }

    /// One line: how many, BOS, and which control tokens how often.
    pub(crate) fn summary(&self) -> String {
        let mut control: BTreeMap<String, usize> = BTreeMap::new();
        for token in self.all.iter().filter(|token| is_control(token)) {
            *control.entry(token.piece.lossy()).or_default() += 1;
        }
        let control: Vec<String> = control.iter().map(|(text, count)| format!("{text} ×{count}")).collect();
        let control = if control.is_empty() { "none".to_owned() } else { control.join(", ") };
        format!("{} tokens, BOS ×{}, control tokens: {control}", self.all.len(), self.bos())
    }

    /// All of them within `width` columns: `id "text"`, and `id ⟦text⟧` of control tokens.
    pub(crate) fn lines(&self, width: usize) -> String {
        let (mut out, mut used) = (String::new(), 0);
        for token in &self.all {
            let text = token.piece.lossy();
            let text = if is_control(token) { format!("⟦{text}⟧") } else { format!("{text:?}") };
            let word = format!("{} {text}", token.id);
            let length = word.chars().count();
            let gap = if used == 0 {
                "  "
            } else if used + 2 + length > width {
                "\n  "
            } else {
                "  "
            };
            used = if gap.contains('\n') { 2 + length } else { used + 2 + length };
            out.push_str(gap);
            out.push_str(&word);
        }
        out.push('\n');
        out
    }

    /// For programs.
    pub(crate) fn json(&self) -> TokensJson {
        let json =
            |token: &Token| TokenJson { id: token.id, text: token.piece.lossy(), control: is_control(token) };
        TokensJson { tokens: self.all.iter().map(json).collect(), bos: self.bos() }
    }
}

fn is_control(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Control | TokenKind::UserDefined)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens() -> Tokens {
        let token = |id, text: &str, kind| Token { id, piece: text.into(), kind };
        Tokens {
            all: vec![
                token(1, "<s>", TokenKind::Control),
                token(7, "Hi", TokenKind::Normal),
                token(8, "\n", TokenKind::Normal),
                token(1, "<s>", TokenKind::Control),
            ],
            bos: 1,
        }
    }

    #[test]
    fn control_tokens_are_marked_and_bos_is_counted() {
        assert_eq!(tokens().summary(), "4 tokens, BOS ×2, control tokens: <s> ×2");
        assert_eq!(tokens().lines(20), "  1 ⟦<s>⟧  7 \"Hi\"\n  8 \"\\n\"  1 ⟦<s>⟧\n");
        assert_eq!(Tokens::default().summary(), "0 tokens, BOS ×0, control tokens: none");
        assert!(tokens().same(&tokens()) && !tokens().same(&Tokens::default()));
    }

    #[test]
    fn programs_get_the_same() {
        let json = serde_json::to_value(tokens().json()).unwrap();
        assert_eq!(json["bos"], 2);
        assert_eq!(json["tokens"][0], serde_json::json!({"id": 1, "text": "<s>", "control": true}));
        assert_eq!(json["tokens"][1], serde_json::json!({"id": 7, "text": "Hi"}));
    }
}
