//! Which dimension of the residual stream means what.

use std::collections::BTreeMap;

use super::{CompileError, Flags, Rule, TokenId, Vocabulary};

/// Sizes of a compiled model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// Blocks: attention is read in the first, rules are applied in the last.
    pub(crate) blocks: usize,
    /// Width of the residual stream.
    pub(crate) width: usize,
    /// Query heads.
    pub(crate) heads: usize,
    /// Key and value heads.
    pub(crate) kv_heads: usize,
    /// Width of a head.
    pub(crate) head: usize,
    /// Width of the feed-forward network.
    pub(crate) feed_forward: usize,
    /// Longest context.
    pub(crate) context: usize,
    /// RoPE's base.
    pub(crate) rope_base: f32,
}

/// The meaning of each dimension.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    /// "The token here is this one"; tokens that raise the same flag share a dimension.
    pub(crate) here: BTreeMap<TokenId, usize>,
    /// "The token before is this one".
    pub(crate) before: BTreeMap<TokenId, usize>,
    /// "This flag is up", by the flag's number.
    pub(crate) flags: Vec<usize>,
    /// "The next token is this one".
    pub(crate) next: BTreeMap<TokenId, usize>,
    used: usize,
}

impl Layout {
    /// The dimension that always holds [`super::model::CONSTANT`].
    pub(crate) const CONSTANT: usize = 0;

    /// Gives every token and flag that the rules speak of its dimension.
    pub(crate) fn new(
        rules: &[Rule],
        flags: &Flags,
        fallback: TokenId,
        vocabulary: &Vocabulary,
        shape: &Shape,
    ) -> Result<Self, CompileError> {
        let mut layout = Self { used: 1, ..Self::default() };
        for flag in flags.all() {
            let dimension = layout.take();
            for piece in &flag.pieces {
                layout.here.insert(vocabulary.id(piece)?, dimension);
            }
            let dimension = layout.take();
            layout.flags.push(dimension);
        }
        let mut here = vec![vocabulary.id(flags.user)?];
        here.extend(rules.iter().flat_map(|rule| [Some(rule.current), rule.previous].into_iter().flatten()));
        for token in here {
            if !layout.here.contains_key(&token) {
                let dimension = layout.take();
                layout.here.insert(token, dimension);
            }
        }
        for token in rules.iter().filter_map(|rule| rule.previous) {
            if !layout.before.contains_key(&token) {
                let dimension = layout.take();
                layout.before.insert(token, dimension);
            }
        }
        for token in rules.iter().map(|rule| rule.next).chain([fallback]) {
            if !layout.next.contains_key(&token) {
                let dimension = layout.take();
                layout.next.insert(token, dimension);
            }
        }
        within("dimensions", layout.used, shape.width)?;
        within("feed-forward rows", rules.len() + 1, shape.feed_forward)?;
        Ok(layout)
    }

    fn take(&mut self) -> usize {
        self.used += 1;
        self.used - 1
    }
}

/// Checks that `needed` fits.
pub(crate) fn within(what: &'static str, needed: usize, has: usize) -> Result<(), CompileError> {
    if needed > has { Err(CompileError::TooMany { what, needed, has }) } else { Ok(()) }
}
