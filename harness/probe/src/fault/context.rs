//! A broken context, with a sound one beside it that is told the same: so the fault's effect is measured.

use std::path::Path;

use wire::{Graph, MemoryState, Node, Refusal, Watch};

use super::{disturbance::Disturbance, meter::Meter};
use crate::engine::{Context, Outputs};

/// A broken context.
pub(super) struct FaultyContext {
    broken: Box<dyn Context>,
    sound: Box<dyn Context>,
    disturbance: Disturbance,
    meter: Meter,
    /// Whether the last call succeeded in both.
    comparable: bool,
    /// The output whose effect was measured last.
    measured: Option<usize>,
    /// The logits as they are shown.
    shown: Vec<f32>,
}

impl FaultyContext {
    /// `broken` under `disturbance`; `meter` is told how far it is from `sound`.
    pub(super) fn new(
        broken: Box<dyn Context>,
        sound: Box<dyn Context>,
        disturbance: Disturbance,
        meter: Meter,
    ) -> Self {
        Self { broken, sound, disturbance, meter, comparable: false, measured: None, shown: Vec::new() }
    }

    fn offset(&self) -> i32 {
        match &self.disturbance {
            Disturbance::Memory(memory) => memory.offset,
            _ => 0,
        }
    }
}

impl Context for FaultyContext {
    fn n_ctx(&self) -> u32 {
        self.broken.n_ctx()
    }

    fn n_batch(&self) -> u32 {
        self.broken.n_batch()
    }

    fn decode(&mut self, tokens: &[i32], pos: i32, outputs: Outputs) -> Result<i32, Refusal> {
        self.decode_together(&[tokens], pos, outputs)
    }

    fn decode_together(&mut self, sequences: &[&[i32]], pos: i32, outputs: Outputs) -> Result<i32, Refusal> {
        let tokens = sequences.first().copied().unwrap_or_default();
        self.disturbance.strike(self.broken.as_mut(), tokens);
        let mut mistaken = sequences.to_vec();
        if matches!(self.disturbance, Disturbance::SequencesSwapped) {
            mistaken.reverse();
        }
        let code = self.broken.decode_together(&mistaken, pos + self.offset(), outputs)?;
        let sound = self.sound.decode_together(sequences, pos, outputs)?;
        self.comparable = code == 0 && sound == 0;
        self.measured = None;
        match &mut self.disturbance {
            Disturbance::Logits(logits) if code == 0 => logits.called(),
            Disturbance::Memory(memory) if code == 0 => memory.decoded(pos, tokens.len()),
            _ => {}
        }
        Ok(code)
    }

    fn adapt(&mut self, path: &Path) -> Result<(), Refusal> {
        self.sound.adapt(path)?;
        if matches!(self.disturbance, Disturbance::AdapterIgnored) { Ok(()) } else { self.broken.adapt(path) }
    }

    fn logits(&mut self, index: usize) -> &[f32] {
        self.shown.clear();
        self.shown.extend_from_slice(self.broken.logits(index));
        if self.shown.is_empty() {
            return &[];
        }
        if let Disturbance::Logits(logits) = &mut self.disturbance {
            logits.change(index, &mut self.shown);
        }
        if self.comparable && self.measured != Some(index) {
            self.measured = Some(index);
            self.meter.add(&self.shown, self.sound.logits(index));
        }
        &self.shown
    }

    fn clear(&mut self, data: bool) -> Result<(), Refusal> {
        self.sound.clear(data)?;
        match &mut self.disturbance {
            Disturbance::Memory(memory) => {
                memory.cleared();
                if !memory.clears {
                    return Ok(());
                }
            }
            Disturbance::Logits(logits) => logits.begin(),
            _ => {}
        }
        self.broken.clear(data)
    }

    fn remove(&mut self, from: i32, to: Option<i32>) -> bool {
        let offset = self.offset();
        if let (Disturbance::Memory(memory), None) = (&mut self.disturbance, to) {
            memory.cut(from);
        }
        self.sound.remove(from, to);
        self.broken.remove(from + offset, to.map(|to| to + offset))
    }

    fn shift(&mut self, from: i32, delta: i32) -> Result<(), Refusal> {
        let offset = self.offset();
        self.sound.shift(from, delta)?;
        self.broken.shift(from + offset, delta)
    }

    fn can_shift(&self) -> Option<bool> {
        self.broken.can_shift()
    }

    fn memory(&self) -> MemoryState {
        self.broken.memory()
    }

    fn take_nodes(&mut self) -> Vec<Node> {
        self.sound.take_nodes();
        self.broken.take_nodes()
    }

    fn watch(&mut self, watch: Option<Watch>) -> Result<(), Refusal> {
        if let Disturbance::Logits(logits) = &mut self.disturbance {
            logits.watched(watch.is_some());
        }
        self.broken.watch(watch)
    }

    fn take_graph(&mut self) -> Option<Graph> {
        self.broken.take_graph()
    }
}
