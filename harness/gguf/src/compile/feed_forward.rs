//! The feed-forward network of a compiled model: one row a rule.

use super::model::CONSTANT;
use super::{Layout, Matrix, Rule, Shape, TokenId};

/// How sharply a gate opens: half of it, above or below zero, is what SiLU sees.
const SHARPNESS: f32 = 24.0;
/// What a rule of strength 1 adds to its next token: the gate gives about 12.
const STRENGTH: f32 = 3.0 / 32.0;
/// Strength of the fallback against a rule of strength 1.
const FALLBACK: f32 = 0.5;

/// The three matrices of one gated feed-forward layer.
#[derive(Clone, Debug)]
pub(crate) struct FeedForward {
    pub(crate) gate: Matrix,
    pub(crate) up: Matrix,
    pub(crate) down: Matrix,
}

impl FeedForward {
    /// Noise alone.
    pub(crate) fn noisy(block: usize, shape: &Shape, unit: f32) -> Self {
        let matrix = |name: &str, rows, columns, unit| {
            Matrix::noisy(&format!("blk.{block}.{name}.weight"), rows, columns, unit)
        };
        Self {
            gate: matrix("ffn_gate", shape.feed_forward, shape.width, unit),
            up: matrix("ffn_up", shape.feed_forward, shape.width, unit),
            down: matrix("ffn_down", shape.width, shape.feed_forward, unit / 4.0),
        }
    }

    /// Adds one row a rule, and one for what comes where no rule holds.
    pub(crate) fn install(&mut self, rules: &[Rule], fallback: TokenId, layout: &Layout) {
        for (row, rule) in rules.iter().enumerate() {
            let mut conditions = vec![layout.here[&rule.current]];
            conditions.extend(rule.previous.map(|token| layout.before[&token]));
            conditions.extend(rule.flags.iter().map(|&flag| layout.flags[flag]));
            self.row(row, &conditions, layout.next[&rule.next], f32::from(rule.strength));
        }
        self.row(rules.len(), &[], layout.next[&fallback], FALLBACK);
    }

    /// A row that adds to `next` when all `conditions` are 1.
    fn row(&mut self, row: usize, conditions: &[usize], next: usize, strength: f32) {
        for &condition in conditions {
            self.gate.set(row, condition, SHARPNESS);
        }
        let threshold = conditions.len() as f32 - 0.5;
        self.gate.set(row, Layout::CONSTANT, -threshold * SHARPNESS / CONSTANT);
        self.up.set(row, Layout::CONSTANT, 1.0 / CONSTANT);
        self.down.set(next, row, strength * STRENGTH);
    }
}
