//! The arguments of one `llama_decode` call.

use llama_cpp_sys_2 as sys;

use crate::engine::Outputs;

/// A batch, in memory of its own.
#[derive(Debug, Default)]
pub(super) struct Batch {
    tokens: Vec<i32>,
    positions: Vec<i32>,
    sequence_counts: Vec<i32>,
    sequences: Vec<*mut i32>,
    outputs: Vec<i8>,
    /// Every sequence's number, at its own index.
    numbers: Vec<i32>,
}

impl Batch {
    /// Fills the batch with the tokens of `sequences`, as long as each other, at `pos`, `pos + 1`, …, next to each other,
    /// and returns llama.cpp's view of it, which is good until the batch is filled again. `outputs` counts for the first
    /// sequence alone.
    pub(super) fn fill(&mut self, sequences: &[&[i32]], pos: i32, outputs: Outputs) -> sys::llama_batch {
        let (width, count) = (sequences.len(), sequences.first().map_or(0, |tokens| tokens.len()));
        let places = || (0..count).flat_map(|index| (0..width).map(move |sequence| (index, sequence)));
        refill(&mut self.numbers, 0..width as i32);
        let first = self.numbers.as_mut_ptr();
        refill(&mut self.tokens, places().map(|(index, sequence)| sequences[sequence][index]));
        refill(&mut self.positions, places().map(|(index, _)| pos + index as i32));
        refill(&mut self.sequence_counts, std::iter::repeat_n(1, width * count));
        refill(&mut self.sequences, places().map(|(_, sequence)| first.wrapping_add(sequence)));
        let wanted = |index, sequence| i8::from(sequence == 0 && outputs.wants(index, count));
        refill(&mut self.outputs, places().map(|(index, sequence)| wanted(index, sequence)));
        sys::llama_batch {
            n_tokens: (width * count) as i32,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_lie_next_to_each_other_and_the_first_yields_logits() {
        let mut batch = Batch::default();
        let check =
            |batch: &mut Batch, sequences: &[&[i32]], tokens: &[i32], positions: &[i32], outputs: &[i8]| {
                let view = batch.fill(sequences, 5, Outputs::Last);
                assert_eq!(view.n_tokens as usize, tokens.len());
                assert_eq!(
                    (&batch.tokens[..], &batch.positions[..], &batch.outputs[..]),
                    (tokens, positions, outputs)
                );
                let number = |pointer: &*mut i32| {
                    // SAFETY: each points into `numbers`, which has not changed since it was filled.
                    unsafe { **pointer }
                };
                let numbers: Vec<i32> = batch.sequences.iter().map(number).collect();
                let expected: Vec<i32> = (0..sequences.len() as i32).cycle().take(tokens.len()).collect();
                assert_eq!(numbers, expected);
            };
        check(&mut batch, &[&[1, 2]], &[1, 2], &[5, 6], &[0, 1]);
        check(&mut batch, &[&[1, 2], &[3, 4]], &[1, 3, 2, 4], &[5, 5, 6, 6], &[0, 0, 1, 0]);
        check(&mut batch, &[&[7]], &[7], &[5], &[1]);
    }
}
