//! The scripted context: a KV cache that behaves as llama.cpp's, and logits that point at the script's next token.

use wire::{ContextConfig, MemoryState, Refusal};

use super::{engine::Script, vocab};
use crate::engine::{Context, Outputs};

/// A context that plays a script.
pub(super) struct ScriptedContext {
    script: Script,
    n_ctx: usize,
    n_batch: usize,
    /// The token at each position from 0 on.
    cells: Vec<i32>,
    outputs: Vec<Option<Vec<f32>>>,
    calls: usize,
}

impl ScriptedContext {
    pub(super) fn new(script: Script, config: &ContextConfig) -> Self {
        Self {
            script,
            n_ctx: config.n_ctx as usize,
            n_batch: config.n_batch.min(config.n_ctx) as usize,
            cells: Vec::new(),
            outputs: Vec::new(),
            calls: 0,
        }
    }

    /// Logits after the last cell: 8 for the script's next token, less for the others, never twice the same.
    fn predict(&self) -> Vec<f32> {
        let open = self.cells.iter().rposition(|&id| id == vocab::A);
        let next = open.and_then(|open| {
            let said = self.cells.len() - open - 1;
            (self.script.reply)(&self.cells[..=open]).get(said).copied()
        });
        let mut logits: Vec<f32> = (0..vocab::SIZE).map(|id| -(id as f32) / 1000.0).collect();
        logits[0] -= self.cells.len() as f32;
        logits[next.unwrap_or(vocab::id('?')) as usize] = 8.0;
        logits
    }
}

impl Context for ScriptedContext {
    fn n_ctx(&self) -> u32 {
        self.n_ctx as u32
    }

    fn n_batch(&self) -> u32 {
        self.n_batch as u32
    }

    fn decode(&mut self, tokens: &[i32], pos: i32, outputs: Outputs) -> Result<i32, Refusal> {
        assert!(tokens.len() <= self.n_batch, "GGML_ASSERT(n_tokens_all <= cparams.n_batch)");
        self.calls += 1;
        if let Some((_, code)) = self.script.fails.filter(|&(call, _)| call + 1 == self.calls) {
            return Ok(code);
        }
        if tokens.is_empty() || pos as usize != self.cells.len() {
            return Ok(-1);
        }
        if self.cells.len() + tokens.len() > self.n_ctx {
            return Ok(1);
        }
        self.outputs.clear();
        for (index, &token) in tokens.iter().enumerate() {
            self.cells.push(token);
            let logits = outputs.wants(index, tokens.len()).then(|| self.predict());
            self.outputs.push(logits);
        }
        Ok(0)
    }

    fn logits(&mut self, index: usize) -> &[f32] {
        self.outputs.get(index).and_then(Option::as_deref).unwrap_or_default()
    }

    fn clear(&mut self, _: bool) -> Result<(), Refusal> {
        self.cells.clear();
        Ok(())
    }

    fn remove(&mut self, from: i32, to: Option<i32>) -> bool {
        if !self.script.can_remove {
            return false;
        }
        let to = to.map_or(self.cells.len(), |to| to as usize);
        self.cells.drain((from as usize).min(to)..to);
        true
    }

    /// The cells have moved when the gap was removed.
    fn shift(&mut self, _: i32, _: i32) -> Result<(), Refusal> {
        Ok(())
    }

    fn can_shift(&self) -> Option<bool> {
        self.script.can_shift
    }

    fn memory(&self) -> MemoryState {
        let len = self.cells.len() as i32;
        let window = self.script.n_swa;
        let first = if window > 0 { (len - window).max(0) } else { 0 };
        MemoryState { pos_min: if len == 0 { -1 } else { first }, pos_max: len - 1 }
    }
}
