//! Two goldens.

use wire::{Ending, Observation};

use super::turn;
use crate::golden::Golden;

/// What is other in `new` than in `old`, in words, the most telling first; without an `old` one, what it says.
pub fn changes(old: Option<&Golden>, new: &Golden) -> Vec<String> {
    let Some(old) = old else { return described(&new.observation) };
    let mut changes = observed(&old.observation, &new.observation);
    if changes.is_empty() {
        changes.push("no text, token, number or end changed".to_owned());
    }
    if old.made_by != new.made_by {
        changes.push(format!("made by {} (was {})", new.made_by, old.made_by));
    }
    changes
}

fn described(seen: &Observation) -> Vec<String> {
    let mut lines = vec!["new: no golden was accepted yet".to_owned()];
    if seen.ending != Ending::Completed {
        lines.push(format!("ended: {}", ending(&seen.ending)));
    }
    let several = seen.turns.len() > 1;
    for (index, one) in seen.turns.iter().enumerate() {
        lines.extend(turn::described(one).into_iter().map(|line| in_turn(index, several, &line)));
    }
    lines
}

fn observed(old: &Observation, new: &Observation) -> Vec<String> {
    let mut changes = Vec::new();
    if old.ending != new.ending {
        changes.push(format!("ending {} → {}", ending(&old.ending), ending(&new.ending)));
    }
    if old.turns.len() != new.turns.len() {
        changes.push(format!("{} turns → {}", old.turns.len(), new.turns.len()));
    }
    let several = old.turns.len().max(new.turns.len()) > 1;
    for (index, (old, new)) in old.turns.iter().zip(&new.turns).enumerate() {
        changes.extend(turn::changes(old, new).into_iter().map(|change| in_turn(index, several, &change)));
    }
    changes
}

fn in_turn(index: usize, several: bool, text: &str) -> String {
    if several { format!("turn {index}: {text}") } else { text.to_owned() }
}

fn ending(ending: &Ending) -> String {
    match ending {
        Ending::Completed => "completed".to_owned(),
        Ending::Refused(refusal) => format!("refused ({}, {})", refusal.layer.name(), refusal.code.name()),
        Ending::Died { .. } => "died".to_owned(),
        Ending::Hung { .. } => "hung".to_owned(),
        Ending::Garbled { .. } => "garbled".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use wire::{Position, Stop, StopReason, Token, TokenKind, Turn};

    use super::*;

    fn token(text: &str) -> Token {
        Token { id: text.len() as i32, piece: text.into(), kind: TokenKind::Normal }
    }

    fn turn(prompt: &str, generated: &[&str], stop: StopReason, shift: f32) -> Turn {
        let at = |pos: usize| Position::of(pos as i32, &[3.0 + shift, 2.0, 1.0, 0.0], &[], None);
        Turn {
            prompt: Some(prompt.into()),
            prompt_tokens: vec![token(prompt)],
            prefill: vec![at(0)],
            decode: (1..=generated.len()).map(at).collect(),
            generated: generated.iter().map(|text| token(text)).collect(),
            answer: Some(generated.concat()),
            stop: Some(Stop { reason: stop, token: None, string: None }),
            ..Turn::default()
        }
    }

    fn golden(turns: &[Turn]) -> Golden {
        let observation = Observation { turns: turns.to_vec(), ..Observation::ended(Ending::Completed) };
        Golden { made_by: "a build".into(), observation }
    }

    fn check(old: &[Turn], new: &[Turn], expected: &[&str]) {
        assert_eq!(changes(Some(&golden(old)), &golden(new)), expected);
    }

    #[test]
    fn changes_are_told_by_what_they_mean() {
        let old = turn("<user>Hi</user>", &["a", "bb"], StopReason::Length, 0.0);
        check(
            std::slice::from_ref(&old),
            std::slice::from_ref(&old),
            &["no text, token, number or end changed"],
        );
        check(
            std::slice::from_ref(&old),
            &[turn("<user>Ho</user>", &["a", "bb"], StopReason::Eog, 0.0)],
            &["prompt changed at byte 7: \"i</user>\" → \"o</user>\"", "stop reason length → eog"],
        );
        check(
            std::slice::from_ref(&old),
            &[turn("<user>Hi</user>", &["a", "ccc"], StopReason::Length, 0.001)],
            &[
                "answer changed at byte 1: \"bb\" → \"ccc\"",
                "generated token 2 changed: \"bb\" → \"ccc\"",
                "top-1 unchanged at 2 positions, KL at most 1e-7",
            ],
        );
        check(
            std::slice::from_ref(&old),
            &[turn("<user>Hi</user>", &["a", "bb"], StopReason::Length, -2.0)],
            &["top-1 changed at 3 of 3 positions, first after \"<user>Hi</user>\"; KL at most 0.474"],
        );
    }

    #[test]
    fn turns_are_told_apart() {
        let one = turn("a", &[], StopReason::Length, 0.0);
        let other = turn("a", &[], StopReason::Eog, 0.0);
        check(&[one.clone(), one.clone()], &[one.clone(), other], &["turn 1: stop reason length → eog"]);
        check(&[one.clone(), one.clone()], &[one], &["2 turns → 1"]);
    }

    #[test]
    fn a_new_golden_is_described() {
        let new = golden(&[turn("Hi", &["a", "bb"], StopReason::Eog, 0.0)]);
        let expected = [
            "new: no golden was accepted yet",
            "prompt \"Hi\" (1 token)",
            "answer \"abb\"",
            "stop reason eog, after 2 tokens",
        ];
        assert_eq!(changes(None, &new), expected);
    }
}
