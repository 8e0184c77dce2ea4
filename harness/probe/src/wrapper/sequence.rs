//! The tokens in the KV cache, and the only way to add some.

use wire::{DecodeCall, MemoryState, Position, Refusal};

use super::Loaded;
use crate::engine::{Context, Outputs};

/// Sequence 0 of a context: which token stands at which position.
pub(crate) struct Sequence<'a> {
    context: &'a mut dyn Context,
    loaded: &'a Loaded,
    /// The token at each position.
    tokens: Vec<i32>,
    /// Ids whose logits are kept by name; `None`: observe no distribution.
    named: Option<Vec<i32>>,
    /// The logits observed last.
    previous: Option<Vec<f32>>,
    /// Batch index of the last output.
    last_output: usize,
    /// What other sequences hold at each position, now or later; they are decoded along with this one.
    beside: Vec<Vec<i32>>,
    /// Whether a full context loses its oldest half instead of refusing.
    pub(crate) shifts: bool,
    /// Positions left out after each call.
    pub(crate) gap: usize,
    /// Positions left out so far.
    left_out: usize,
    /// Where the current turn's first token stands; what rolling back removes.
    mark: usize,
}

/// What one batch or several showed.
#[derive(Default)]
pub(crate) struct Appended {
    /// The first code that was not 0, else 0. A call with another code added nothing.
    pub(crate) code: i32,
    /// The distributions asked for.
    pub(crate) positions: Vec<Position>,
}

impl<'a> Sequence<'a> {
    /// An empty sequence over an empty context.
    pub(crate) fn new(context: &'a mut dyn Context, loaded: &'a Loaded, named: Option<Vec<i32>>) -> Self {
        Self {
            context,
            loaded,
            tokens: Vec::new(),
            named,
            previous: None,
            last_output: 0,
            beside: Vec::new(),
            shifts: false,
            gap: 0,
            left_out: 0,
            mark: 0,
        }
    }

    /// The token at each position.
    pub(crate) fn tokens(&self) -> &[i32] {
        &self.tokens
    }

    /// Has `others`, each as long as what will be appended, decoded in the same batches. False: no batch has room for a
    /// token of each.
    pub(crate) fn accompany(&mut self, others: Vec<Vec<i32>>) -> bool {
        self.beside = others;
        self.context.n_batch() as usize > self.beside.len()
    }

    /// Decodes `tokens` after those that are there, in calls of at most `n_batch` (a larger batch would be an
    /// assertion in llama.cpp, the end of the process), and stops at the first call that fails. Calls that
    /// succeeded before it stay: llama.cpp restores the state of one call, not of all.
    pub(crate) fn append(
        &mut self,
        tokens: &[i32],
        outputs: Outputs,
        calls: &mut Vec<DecodeCall>,
    ) -> Result<Appended, Refusal> {
        let mut appended = Appended::default();
        let size = self.batch_size();
        let count = tokens.len().div_ceil(size);
        for (index, chunk) in tokens.chunks(size).enumerate() {
            let outputs = match outputs {
                Outputs::Last if index + 1 < count => Outputs::None,
                outputs => outputs,
            };
            appended.code = self.call(chunk, outputs, calls)?;
            if appended.code != 0 {
                break;
            }
            self.observe(chunk.len(), outputs, &mut appended.positions);
            self.tokens.extend_from_slice(chunk);
            self.left_out += self.gap;
        }
        Ok(appended)
    }

    /// The position of the token that is decoded next.
    fn next(&self) -> usize {
        self.tokens.len() + self.left_out
    }

    /// Where the context shifts, no call is larger than what half of it, the part that a shift frees, can hold.
    fn batch_size(&self) -> usize {
        let most = if self.shifts { self.n_ctx() / 2 } else { usize::MAX };
        let room = self.context.n_batch() as usize / (1 + self.beside.len());
        most.min(room).max(1)
    }

    /// One `llama_decode`, again after each shift where the context is full and may shift.
    fn call(&mut self, chunk: &[i32], outputs: Outputs, calls: &mut Vec<DecodeCall>) -> Result<i32, Refusal> {
        loop {
            let at = self.tokens.len();
            let pos = self.next() as i32;
            let others = self.beside.iter().map(|other| &other[at..at + chunk.len()]);
            let all: Vec<&[i32]> = std::iter::once(chunk).chain(others).collect();
            let context = &mut *self.context;
            let code = self.loaded.clock.time(|| context.decode_together(&all, pos, outputs))?;
            calls.push(DecodeCall { pos, n_tokens: chunk.len() as u32, code });
            if code != 1 || !self.shifts || !self.shift()? {
                return Ok(code);
            }
        }
    }

    /// Reads the outputs of the last call.
    fn observe(&mut self, count: usize, outputs: Outputs, positions: &mut Vec<Position>) {
        self.last_output = count - 1;
        let next = self.next();
        let Some(named) = &self.named else { return };
        for index in (0..count).filter(|&index| outputs.wants(index, count)) {
            let context = &mut *self.context;
            let place = index * (1 + self.beside.len());
            let logits = self.loaded.clock.time(|| context.logits(place));
            let pos = (next + index) as i32;
            positions.push(Position::of(pos, logits, named, self.previous.as_deref()));
            let previous = self.previous.get_or_insert_default();
            previous.clear();
            previous.extend_from_slice(logits);
        }
    }

    /// The greedy choice after the last token; `None` where llama.cpp shows no logits.
    pub(crate) fn best(&mut self) -> Option<i32> {
        let (context, index) = (&mut *self.context, self.last_output);
        argmax(self.loaded.clock.time(|| context.logits(index)))
    }

    /// Removes the oldest half and moves the rest down; says whether that made room. The first token stays where
    /// it is BOS: attention leans on it.
    fn shift(&mut self) -> Result<bool, Refusal> {
        let keep = usize::from(self.tokens.first() == Some(&self.loaded.facts.bos));
        let discard = self.tokens.len().saturating_sub(keep) / 2;
        let (from, to) = (keep as i32, (keep + discard) as i32);
        if discard == 0 || !self.context.remove(from, Some(to)) {
            return Ok(false);
        }
        self.context.shift(to, -(discard as i32))?;
        self.tokens.drain(keep..keep + discard);
        self.mark = self.mark.saturating_sub(discard).max(keep).min(self.tokens.len());
        Ok(true)
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self, data: bool) -> Result<(), Refusal> {
        let context = &mut *self.context;
        self.loaded.clock.time(|| context.clear(data))?;
        self.tokens.clear();
        Ok(())
    }

    /// Keeps the first `len` tokens. Where the memory cannot remove a part (recurrent models), it is cleared.
    pub(crate) fn truncate(&mut self, len: usize) -> Result<(), Refusal> {
        if len >= self.tokens.len() && self.context.memory().pos_max < len as i32 {
            return Ok(());
        }
        if !self.context.remove(len as i32, None) {
            return self.clear(true);
        }
        self.tokens.truncate(len);
        Ok(())
    }

    /// How many tokens of `prompt` need not be decoded again: those that stand at the same positions, but never
    /// all of it, since the last one must yield logits; and none where a sliding window has already let go of
    /// cells that the first new token must see.
    pub(crate) fn reusable(&self, prompt: &[i32]) -> usize {
        let same = self.tokens.iter().zip(prompt).take_while(|(a, b)| a == b).count();
        let reusable = same.min(prompt.len() - 1);
        let window = self.loaded.facts.n_swa;
        let first_seen = (reusable as i32 - window + 1).max(0);
        if window > 0 && self.context.memory().pos_min > first_seen { 0 } else { reusable }
    }

    /// A turn begins: rolling back goes no further than here.
    pub(crate) fn set_mark(&mut self) {
        self.mark = self.tokens.len();
    }

    /// Removes what the turn added, also the part of a call that failed.
    pub(crate) fn roll_back(&mut self) -> Result<(), Refusal> {
        self.truncate(self.mark)
    }

    /// The positions that the memory holds.
    pub(crate) fn memory(&self) -> MemoryState {
        self.context.memory()
    }

    /// Tokens that the sequence has room for.
    pub(crate) fn n_ctx(&self) -> usize {
        self.context.n_ctx() as usize
    }

    /// Whether positions can be shifted; `None` where the engine does not tell.
    pub(crate) fn can_shift(&self) -> Option<bool> {
        self.context.can_shift()
    }
}

/// The highest logit's token, the lowest id on a tie; what is not a number never wins. `None` without logits.
fn argmax(logits: &[f32]) -> Option<i32> {
    let better = |index: usize, best: usize| {
        logits[index] > logits[best] || (logits[best].is_nan() && !logits[index].is_nan())
    };
    (0..logits.len()).reduce(|best, index| if better(index, best) { index } else { best }).map(|id| id as i32)
}

#[cfg(test)]
mod tests {
    use super::argmax;

    #[test]
    fn the_lowest_id_wins_a_tie_and_nan_never() {
        let nan = f32::NAN;
        let cases: [(&[f32], Option<i32>); 6] = [
            (&[], None),
            (&[1.0, 3.0, 3.0], Some(1)),
            (&[nan, 1.0, 2.0], Some(2)),
            (&[1.0, nan, 0.5], Some(0)),
            (&[nan, nan], Some(0)),
            (&[f32::NEG_INFINITY, f32::INFINITY], Some(1)),
        ];
        for (logits, best) in cases {
            assert_eq!(argmax(logits), best, "{logits:?}");
        }
    }
}
