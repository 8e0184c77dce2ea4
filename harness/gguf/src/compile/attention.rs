//! The attention heads of a compiled model: they find things in the context and write down that they did.
//!
//! Every score is a product of powers and small integers; the only irrational numbers are the sines and cosines
//! of three rotation angles, written here as fractions so that the bytes are the same everywhere.

use super::layout::within;
use super::model::CONSTANT;
use super::{CompileError, Flags, Layout, Matrix, Rope, Shape, TokenId, Vocabulary};

/// RoPE's base. With heads of 64 the pairs turn by 1, 0.1155, 0.01334, 0.00154 … radians a position, and from the
/// 20th on not at all.
pub(crate) const ROPE_BASE: f32 = 1e30;

/// A pair that doesn't turn within any context.
const STILL_PAIR: usize = 20;
/// A pair whose angle grows slowly and evenly: 0.00154 radians a position.
const SLOW_PAIR: usize = 3;
/// Cosine and sine of the angle that the three fastest pairs turn in one position.
const ONE_STEP: [(f32, f32); 3] =
    [(553.0 / 1024.0, 862.0 / 1024.0), (1017.0 / 1024.0, 118.0 / 1024.0), (1.0, 14.0 / 1024.0)];

/// Strength of query and key of a head that finds a token anywhere: a score of 16² / √64 = 32.
const FIND: f32 = 16.0;
/// Strength of query and key of the head that finds the previous token.
const PREVIOUS: f32 = 18.0;
/// Strengths of the head that finds the latest question: each position costs 72² · 0.00154 / √64 = 1 of the score.
const LATEST_SLOPE: f32 = 72.0;
/// … which begins at 32 · 48 / √64 = 192, so that a question fades after that many tokens without a turn …
const LATEST_QUERY: f32 = 32.0;
const LATEST_KEY: f32 = 48.0;
/// … and the opening of the user's turn begins 4 lower: it beats earlier turns, never a question of its own turn.
const LATEST_USER_KEY: f32 = 47.0;
/// A value that comes out as 1 after the norm of a token with its own dimension: √17 / 4, rounded.
const VALUE: f32 = 33.0 / 32.0;

/// The four matrices of one attention layer.
#[derive(Clone, Debug)]
pub(crate) struct Attention {
    pub(crate) query: Matrix,
    pub(crate) key: Matrix,
    pub(crate) value: Matrix,
    pub(crate) output: Matrix,
    shape: Shape,
    rope: Rope,
    /// Value dimensions in use, by key-value head.
    used: Vec<usize>,
}

impl Attention {
    /// Noise alone.
    pub(crate) fn noisy(block: usize, shape: &Shape, rope: Rope, unit: f32) -> Self {
        let matrix = |name: &str, rows, columns| {
            Matrix::noisy(&format!("blk.{block}.{name}.weight"), rows, columns, unit)
        };
        let (queries, keys) = (shape.heads * shape.head, shape.kv_heads * shape.head);
        Self {
            query: matrix("attn_q", queries, shape.width),
            key: matrix("attn_k", keys, shape.width),
            value: matrix("attn_v", keys, shape.width),
            output: matrix("attn_output", shape.width, queries),
            shape: *shape,
            rope,
            used: vec![0; shape.kv_heads],
        }
    }

    /// Adds every head that the layout's flags need.
    pub(crate) fn install(
        &mut self,
        layout: &Layout,
        flags: &Flags,
        vocabulary: &Vocabulary,
    ) -> Result<(), CompileError> {
        within("attention heads", 2 + flags.anywhere.len(), self.shape.heads)?;
        self.previous(0, layout)?;
        self.latest(1, layout, flags, vocabulary)?;
        for (index, flag) in flags.anywhere.iter().enumerate() {
            let token = vocabulary.id(&flag.pieces[0])?;
            self.anywhere(2 + index, layout.here[&token], layout.flags[flags.questions.len() + index])?;
        }
        Ok(())
    }

    /// A head that looks at the position before: query and key are one step apart in the three fastest pairs.
    fn previous(&mut self, head: usize, layout: &Layout) -> Result<(), CompileError> {
        for (pair, (cosine, sine)) in ONE_STEP.into_iter().enumerate() {
            let along = PREVIOUS / CONSTANT;
            self.ask(head, pair, [along * cosine, -along * sine]);
            self.answer(head, pair, 0, Layout::CONSTANT, along);
        }
        for (token, &flag) in &layout.before {
            self.report(head, layout.here[token], flag)?;
        }
        Ok(())
    }

    /// A head that looks at the latest question, or at the opening of the user's turn if no question follows it.
    fn latest(
        &mut self,
        head: usize,
        layout: &Layout,
        flags: &Flags,
        vocabulary: &Vocabulary,
    ) -> Result<(), CompileError> {
        self.ask(head, SLOW_PAIR, [0.0, LATEST_SLOPE / CONSTANT]);
        self.ask(head, STILL_PAIR, [LATEST_QUERY / CONSTANT, 0.0]);
        let user: TokenId = vocabulary.id(flags.user)?;
        self.answer(head, SLOW_PAIR, 0, layout.here[&user], LATEST_SLOPE);
        self.answer(head, STILL_PAIR, 0, layout.here[&user], LATEST_USER_KEY);
        for (number, flag) in flags.questions.iter().enumerate() {
            let here = layout.here[&vocabulary.id(&flag.pieces[0])?];
            self.answer(head, SLOW_PAIR, 0, here, LATEST_SLOPE);
            self.answer(head, STILL_PAIR, 0, here, LATEST_KEY);
            self.report(head, here, layout.flags[number])?;
        }
        Ok(())
    }

    /// A head that finds a token anywhere.
    fn anywhere(&mut self, head: usize, here: usize, flag: usize) -> Result<(), CompileError> {
        let pair = STILL_PAIR + 1 + head % (self.shape.heads / self.shape.kv_heads);
        self.ask(head, pair, [FIND / CONSTANT, 0.0]);
        self.answer(head, pair, 0, here, FIND);
        self.report(head, here, flag)
    }

    /// Sets what the constant gives as query in both parts of a pair.
    fn ask(&mut self, head: usize, pair: usize, parts: [f32; 2]) {
        for (part, value) in parts.into_iter().enumerate() {
            let row = head * self.shape.head + self.rope.dimension(pair, part, self.shape.head);
            self.query.set(row, Layout::CONSTANT, value);
        }
    }

    /// Sets what the dimension `here` gives as key in a part of a pair.
    fn answer(&mut self, head: usize, pair: usize, part: usize, here: usize, value: f32) {
        let row = self.kv_head(head) * self.shape.head + self.rope.dimension(pair, part, self.shape.head);
        self.key.set(row, here, value);
    }

    /// Copies the dimension `here` of the position that is looked at to the dimension `flag`.
    fn report(&mut self, head: usize, here: usize, flag: usize) -> Result<(), CompileError> {
        let kv_head = self.kv_head(head);
        let slot = self.used[kv_head];
        within("value dimensions", slot + 1, self.shape.head)?;
        self.used[kv_head] += 1;
        self.value.set(kv_head * self.shape.head + slot, here, VALUE);
        self.output.set(flag, head * self.shape.head + slot, 1.0);
        Ok(())
    }

    fn kv_head(&self, head: usize) -> usize {
        head / (self.shape.heads / self.shape.kv_heads)
    }
}
