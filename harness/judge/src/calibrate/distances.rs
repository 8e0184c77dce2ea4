//! How far two observations are apart at the worst position.

use serde::Serialize;
use wire::{Observation, Position, Turn};

use super::Metric;
use crate::numbers::Distance;

/// The largest distance over the positions of one answer or several; what is not finite counts as infinite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Distances {
    /// Positions that were compared.
    pub positions: usize,
    /// NMSE of the logits.
    pub nmse: f64,
    /// KL divergence in nats.
    pub kl: f64,
    /// Change of an end token's log-probability in nats.
    pub eog: f64,
    /// Change of one of the two highest logits.
    pub near_tie: f64,
}

impl Distances {
    /// Compares as far as the tokens are the same.
    pub fn between(ours: &Observation, reference: &Observation) -> Self {
        let turns = ours.turns.iter().zip(&reference.turns);
        let pairs = turns.flat_map(|(ours, reference)| shared(ours, reference));
        pairs.fold(Self::default(), |all, (ours, reference)| all.or_larger(Self::at(ours, reference)))
    }

    /// The larger one of each number.
    #[must_use]
    pub fn or_larger(self, other: Self) -> Self {
        Self {
            positions: self.positions + other.positions,
            nmse: self.nmse.max(other.nmse),
            kl: self.kl.max(other.kl),
            eog: self.eog.max(other.eog),
            near_tie: self.near_tie.max(other.near_tie),
        }
    }

    /// One of the numbers.
    pub const fn of(&self, metric: Metric) -> f64 {
        match metric {
            Metric::Nmse => self.nmse,
            Metric::Kl => self.kl,
            Metric::Eog => self.eog,
            Metric::NearTie => self.near_tie,
        }
    }

    fn at(ours: &Position, reference: &Position) -> Self {
        let Some(distance) = Distance::between(ours, reference) else {
            let infinite = f64::INFINITY;
            return Self { positions: 1, nmse: infinite, kl: infinite, eog: infinite, near_tie: infinite };
        };
        let change = |(id, logit): &(i32, f32)| {
            ours.top.iter().find(|(other, _)| other == id).map(|(_, other)| f64::from((other - logit).abs()))
        };
        let near_tie = reference.top.iter().take(2).filter_map(change).fold(0.0, f64::max);
        Self { positions: 1, nmse: distance.nmse, kl: distance.kl, eog: distance.eog, near_tie }
    }
}

/// The positions of two turns that stand after the same tokens.
fn shared<'a>(ours: &'a Turn, reference: &'a Turn) -> Vec<(&'a Position, &'a Position)> {
    let ids = |tokens: &[wire::Token]| tokens.iter().map(|token| token.id).collect::<Vec<_>>();
    if ids(&ours.prompt_tokens) != ids(&reference.prompt_tokens) {
        return Vec::new();
    }
    let generated = ours.generated.iter().zip(&reference.generated);
    let same = generated.take_while(|(a, b)| a.id == b.id).count();
    let prefill = ours.prefill.iter().zip(&reference.prefill);
    prefill.chain(ours.decode.iter().zip(&reference.decode).take(same)).collect()
}

#[cfg(test)]
mod tests {
    use wire::{Ending, Piece, Token, TokenKind};

    use super::*;

    fn position(change: f32) -> Position {
        let logits: Vec<f32> =
            (0..200).map(|id| if id == 7 { 9.0 + change } else { (id % 13) as f32 / 4.0 }).collect();
        Position::of(0, &logits, &[7], None)
    }

    fn answer(prompt: i32, prefill: f32, decode: &[(i32, f32)]) -> Observation {
        let token = |id| Token { id, piece: Piece::from("x"), kind: TokenKind::Normal };
        let turn = Turn {
            prompt_tokens: vec![token(prompt)],
            prefill: vec![position(prefill)],
            generated: decode.iter().map(|(id, _)| token(*id)).collect(),
            decode: decode.iter().map(|(_, change)| position(*change)).collect(),
            ..Turn::default()
        };
        Observation { turns: vec![turn], ..Observation::ended(Ending::Completed) }
    }

    #[test]
    fn the_worst_position_counts_as_far_as_the_tokens_are_the_same() {
        let reference = answer(1, 0.0, &[(5, 0.0), (6, 0.0), (8, 0.0)]);
        let check = |ours: &Observation, positions: usize, near_tie: f64| {
            let seen = Distances::between(ours, &reference);
            assert_eq!(seen.positions, positions);
            assert!((seen.near_tie - near_tie).abs() < 1e-5, "{seen:?}");
            assert_eq!(seen.nmse > 0.0, near_tie > 0.0);
        };
        check(&reference, 4, 0.0);
        check(&answer(1, 0.5, &[(5, 0.25), (6, 0.0), (8, 0.0)]), 4, 0.5);
        check(&answer(1, 0.0, &[(5, 0.0), (9, 3.0), (8, 3.0)]), 2, 0.0);
        check(&answer(2, 4.0, &[(5, 4.0)]), 0, 0.0);
        let broken: Vec<f32> = (0..200).map(|id| if id == 3 { f32::NAN } else { id as f32 }).collect();
        let broken = Position::of(0, &broken, &[7], None);
        let mut ours = reference.clone();
        ours.turns[0].prefill = vec![broken];
        assert_eq!(Distances::between(&ours, &reference).kl, f64::INFINITY);
    }
}
