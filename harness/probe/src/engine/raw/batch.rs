//! The arguments of one `llama_decode` call.

use llama_cpp_sys_2 as sys;

use crate::engine::Outputs;

/// A batch of sequence 0, in memory of its own.
#[derive(Debug, Default)]
pub(super) struct Batch {
    tokens: Vec<i32>,
    positions: Vec<i32>,
    sequence_counts: Vec<i32>,
    sequences: Vec<*mut i32>,
    outputs: Vec<i8>,
    sequence: Box<i32>,
}

impl Batch {
    /// Fills the batch with `tokens` at `pos`, `pos + 1`, … and returns llama.cpp's view of it, which is good until
    /// the batch is filled again.
    pub(super) fn fill(&mut self, tokens: &[i32], pos: i32, outputs: Outputs) -> sys::llama_batch {
        let count = tokens.len();
        let sequence: *mut i32 = &raw mut *self.sequence;
        self.tokens.clear();
        self.tokens.extend_from_slice(tokens);
        refill(&mut self.positions, (pos..).take(count));
        refill(&mut self.sequence_counts, std::iter::repeat_n(1, count));
        refill(&mut self.sequences, std::iter::repeat_n(sequence, count));
        refill(&mut self.outputs, (0..count).map(|index| i8::from(outputs.wants(index, count))));
        sys::llama_batch {
            n_tokens: count as i32,
            token: self.tokens.as_mut_ptr(),
            embd: std::ptr::null_mut(),
            pos: self.positions.as_mut_ptr(),
            n_seq_id: self.sequence_counts.as_mut_ptr(),
            seq_id: self.sequences.as_mut_ptr(),
            logits: self.outputs.as_mut_ptr(),
        }
    }
}

fn refill<T>(values: &mut Vec<T>, from: impl Iterator<Item = T>) {
    values.clear();
    values.extend(from);
}
