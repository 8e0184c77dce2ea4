//! How a healthy subject may differ from its reference without being wrong.

use serde::Serialize;
use wire::ContextConfig;

/// One way to run the same questions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Variation {
    /// Where everything else here comes from.
    pub seed: u64,
    /// Threads.
    pub n_threads: u32,
    /// Most tokens in one `llama_decode` call.
    pub n_batch: u32,
    /// Whether the worker has served other models before.
    pub reused_worker: bool,
    /// Whether each request gets a new context.
    pub fresh_context: bool,
    /// The questions, as indexes, in the order in which they are asked, and so in which models are loaded.
    pub order: Vec<usize>,
}

/// Batch sizes: single tokens, an odd split, a whole number of kernels, everything at once.
const BATCHES: [u32; 4] = [1, 7, 32, 512];
/// One in so many variations has two threads. ggml's threads spin at every barrier: where the cores are taken, each
/// barrier waits for the scheduler.
const TWO_THREADS: usize = 8;

impl Variation {
    /// The variation of `seed`: `asked` of `questions` questions; with two threads one of the first `short`.
    pub fn new(seed: u64, questions: usize, short: usize, asked: usize) -> Self {
        let mut state = seed;
        let mut pick = |count: usize| (next(&mut state) % count.max(1) as u64) as usize;
        let n_threads = if short > 0 && pick(TWO_THREADS) == 0 { 2 } else { 1 };
        let n_batch = BATCHES[pick(BATCHES.len())];
        let (reused_worker, fresh_context) = (pick(2) == 1, pick(2) == 1);
        let (among, asked) = if n_threads > 1 { (short, 1) } else { (questions, asked) };
        let mut rest: Vec<usize> = (0..among).collect();
        let order = (0..asked.min(among)).map(|_| rest.swap_remove(pick(rest.len()))).collect();
        Self { seed, n_threads, n_batch, reused_worker, fresh_context, order }
    }

    /// The context of a question under this variation.
    pub fn context(&self, base: &ContextConfig) -> ContextConfig {
        ContextConfig {
            n_threads: self.n_threads,
            n_batch: self.n_batch,
            n_ubatch: self.n_batch,
            ..base.clone()
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn seeds_differ_in_everything_and_no_question_comes_twice() {
        let all: Vec<Variation> = (0..200).map(|seed| Variation::new(seed, 10, 6, 4)).collect();
        let kinds = |of: fn(&Variation) -> u32| all.iter().map(of).collect::<BTreeSet<_>>().len();
        assert_eq!(kinds(|variation| variation.n_threads), 2);
        assert_eq!(kinds(|variation| variation.n_batch), BATCHES.len());
        assert_eq!(kinds(|variation| variation.reused_worker.into()), 2);
        assert_eq!(kinds(|variation| variation.fresh_context.into()), 2);
        for variation in &all {
            let order: BTreeSet<_> = variation.order.iter().collect();
            assert_eq!(order.len(), variation.order.len());
            let (asked, among) = if variation.n_threads > 1 { (1, 6) } else { (4, 10) };
            assert_eq!(order.len(), asked);
            assert!(order.iter().all(|&&index| index < among));
        }
        let asked: BTreeSet<_> = all.iter().flat_map(|variation| &variation.order).collect();
        assert_eq!(asked.len(), 10);
        assert_eq!(Variation::new(3, 2, 0, 9).order.len(), 2);
    }
}
