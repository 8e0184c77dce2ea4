//! A context: the KV cache of sequence 0 and the logits of the last call.

use wire::{Graph, Layer, MemoryState, Node, Refusal, Watch};

use crate::refuse::unsupported;

/// Which tokens of a batch yield logits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outputs {
    /// None.
    None,
    /// The last one.
    Last,
    /// Every one.
    All,
}

impl Outputs {
    /// Whether token `index` of `count` yields logits.
    pub const fn wants(self, index: usize, count: usize) -> bool {
        match self {
            Self::None => false,
            Self::Last => index + 1 == count,
            Self::All => true,
        }
    }
}

/// A context. All of it happens in sequence 0.
pub trait Context {
    /// Tokens that the sequence has room for.
    fn n_ctx(&self) -> u32;

    /// Most tokens in one call of [`Context::decode`].
    fn n_batch(&self) -> u32;

    /// One `llama_decode` call: `tokens` at `pos`, `pos + 1`, … Returns llama.cpp's own code.
    ///
    /// # Errors
    /// Where the call cannot be made at all.
    fn decode(&mut self, tokens: &[i32], pos: i32, outputs: Outputs) -> Result<i32, Refusal>;

    /// The logits after token `index` of the last batch; empty where llama.cpp has none.
    fn logits(&mut self, index: usize) -> &[f32];

    /// `llama_memory_clear`.
    ///
    /// # Errors
    /// Where the engine cannot say which of the two it wants.
    fn clear(&mut self, data: bool) -> Result<(), Refusal>;

    /// `llama_memory_seq_rm` from `from` up to, not including, `to`; `None`: to the end. Says whether it did.
    fn remove(&mut self, from: i32, to: Option<i32>) -> bool;

    /// `llama_memory_seq_add`: moves the positions from `from` on by `delta`.
    ///
    /// # Errors
    /// Where the engine cannot.
    fn shift(&mut self, from: i32, delta: i32) -> Result<(), Refusal>;

    /// `llama_memory_can_shift`; `None` where the engine does not tell.
    fn can_shift(&self) -> Option<bool>;

    /// The positions that the memory holds.
    fn memory(&self) -> MemoryState;

    /// Where the graph's nodes ran since the last call; empty where the engine does not tell.
    fn take_nodes(&mut self) -> Vec<Node> {
        Vec::new()
    }

    /// From now on counts the calls of [`Context::decode`] from 0, and looks at the one that `watch` names; `None`
    /// looks at none.
    ///
    /// # Errors
    /// Where the engine cannot look.
    fn watch(&mut self, watch: Option<Watch>) -> Result<(), Refusal> {
        match watch {
            None => Ok(()),
            Some(_) => Err(unsupported(
                Layer::Prefill,
                "this engine cannot look at the graph; ask the engine \"raw\"",
            )),
        }
    }

    /// What the watched call computed, once it was made.
    fn take_graph(&mut self) -> Option<Graph> {
        None
    }
}
