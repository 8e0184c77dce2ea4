//! A context: the KV cache of sequence 0 and the logits of the last call.

use std::path::Path;

use wire::{BufferMemory, Graph, Layer, MemoryState, Node, Refusal, Watch};

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

/// A context. All of it happens in sequence 0, unless it says otherwise.
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

    /// One `llama_decode` call of several sequences, as long as each other: the tokens of each at `pos`, `pos + 1`, …,
    /// next to each other in the batch. `outputs` counts for the first one, sequence 0, alone, whose token `index` has
    /// the place `index` × number of sequences.
    ///
    /// # Errors
    /// Where the engine has one sequence only, or the call cannot be made at all.
    fn decode_together(&mut self, sequences: &[&[i32]], pos: i32, outputs: Outputs) -> Result<i32, Refusal> {
        match sequences {
            [tokens] => self.decode(tokens, pos, outputs),
            _ => Err(unsupported(Layer::Prefill, "this engine computes one sequence; use the raw engine")),
        }
    }

    /// Applies the LoRA adapter in the file `path` to everything that is computed from now on.
    ///
    /// # Errors
    /// Where it cannot be loaded, does not fit the model, or the engine has no such thing.
    fn adapt(&mut self, path: &Path) -> Result<(), Refusal> {
        let message = format!("this engine applies no adapter ({}); use the raw engine", path.display());
        Err(unsupported(Layer::Load, message))
    }

    /// The logits after the token at place `index` of the last batch; empty where llama.cpp has none.
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

    /// What llama.cpp says that the context and its model have allocated, by buffer; empty where it does not tell.
    fn allocated(&self) -> Vec<BufferMemory> {
        Vec::new()
    }

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
