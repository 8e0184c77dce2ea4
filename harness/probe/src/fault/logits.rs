//! Logits that are not what llama.cpp computed.

use super::Fault;

/// How the logits are changed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    AllNan,
    OneNan,
    Stale,
    Noise(f64),
    /// Noise that goes where somebody looks at the graph.
    UnseenNoise(f64),
    EogLowered,
    TopTwoSwapped,
}

/// The token whose logit is NaN under [`Fault::LogitsOneNan`]: a byte token in the vocabularies here.
const NAN_TOKEN: usize = 42;
/// What an end-of-generation logit loses.
const LOWERED_BY: f32 = 10.0;
/// The position, counted from 1 over those that are read, at which the two highest logits are swapped.
const SWAPPED_AT: usize = 3;

/// Changes logits. What it does depends on the step alone: reading a position twice gives the same twice.
#[derive(Debug)]
pub(super) struct LogitsFault {
    change: Change,
    /// Every end-of-generation token.
    eog: Vec<i32>,
    /// Decode calls since the memory was cleared.
    calls: usize,
    /// The position read last, as call and index, and how many were read.
    read: Option<(usize, usize)>,
    positions: usize,
    /// The logits shown last, and in which call.
    shown: Option<(usize, Vec<f32>)>,
    /// What the current call shows instead of its own.
    stale: Option<Vec<f32>>,
    /// Whether somebody looks at the graph.
    watched: bool,
}

impl LogitsFault {
    /// The change that `fault` stands for, if it is one of logits.
    pub(super) fn of(fault: Fault, eog: &[i32]) -> Option<Self> {
        let change = match fault {
            Fault::LogitsNan => Change::AllNan,
            Fault::LogitsOneNan => Change::OneNan,
            Fault::LogitsStale => Change::Stale,
            Fault::NoiseThousandth => Change::Noise(1e-3),
            Fault::NoiseHundredth => Change::Noise(1e-2),
            Fault::NoiseWhole => Change::Noise(1.0),
            Fault::FusionWrong => Change::UnseenNoise(1e-2),
            Fault::EogLowered => Change::EogLowered,
            Fault::TopTwoSwapped => Change::TopTwoSwapped,
            _ => return None,
        };
        let eog = eog.to_vec();
        Some(Self {
            change,
            eog,
            calls: 0,
            read: None,
            positions: 0,
            shown: None,
            stale: None,
            watched: false,
        })
    }

    /// The memory was cleared: a new text begins.
    pub(super) fn begin(&mut self) {
        (self.calls, self.read, self.positions) = (0, None, 0);
        (self.shown, self.stale) = (None, None);
    }

    /// Whether somebody looks at the graph from now on.
    pub(super) fn watched(&mut self, watched: bool) {
        self.watched = watched;
    }

    /// `llama_decode` was called.
    pub(super) fn called(&mut self) {
        self.calls += 1;
        self.stale = self.shown.take().map(|(_, logits)| logits);
    }

    /// Changes the logits of output `index` of the last call.
    pub(super) fn change(&mut self, index: usize, logits: &mut [f32]) {
        let step = (self.calls, index);
        if self.read != Some(step) {
            self.read = Some(step);
            self.positions += 1;
        }
        match self.change {
            Change::AllNan => logits.fill(f32::NAN),
            Change::OneNan => logits[NAN_TOKEN % logits.len()] = f32::NAN,
            Change::Stale => {
                if let Some(stale) = self.stale.as_ref().filter(|stale| stale.len() == logits.len()) {
                    logits.copy_from_slice(stale);
                }
            }
            Change::UnseenNoise(_) if self.watched => {}
            Change::Noise(nmse) | Change::UnseenNoise(nmse) => {
                add_noise(logits, nmse, ((self.calls as u64) << 32) | index as u64);
            }
            Change::EogLowered => {
                for &id in &self.eog {
                    logits[id as usize] -= LOWERED_BY;
                }
            }
            Change::TopTwoSwapped if self.positions == SWAPPED_AT => swap_top_two(logits),
            Change::TopTwoSwapped => {}
        }
        self.shown = Some((self.calls, logits.to_vec()));
    }
}

/// Adds noise whose squared length is `nmse` times that of `logits`.
fn add_noise(logits: &mut [f32], nmse: f64, seed: u64) {
    let mut state = seed;
    let noise: Vec<f64> = logits.iter().map(|_| bell(&mut state)).collect();
    let squares = |values: &mut dyn Iterator<Item = f64>| values.map(|value| value * value).sum::<f64>();
    let (whole, error) =
        (squares(&mut logits.iter().map(|&logit| f64::from(logit))), squares(&mut noise.iter().copied()));
    let scale = (nmse * whole / error.max(f64::MIN_POSITIVE)).sqrt();
    for (logit, noise) in logits.iter_mut().zip(noise) {
        *logit += (noise * scale) as f32;
    }
}

/// About normal: the sum of four uniform numbers between −½ and ½.
fn bell(state: &mut u64) -> f64 {
    (0..4).map(|_| uniform(state) - 0.5).sum()
}

/// SplitMix64 (Steele, Lea and Flood, 2014), its upper 53 bits between 0 and 1.
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

fn swap_top_two(logits: &mut [f32]) {
    let mut order: Vec<usize> = (0..logits.len()).collect();
    order.sort_by(|&a, &b| logits[b].total_cmp(&logits[a]));
    if let [first, second, ..] = order[..] {
        logits.swap(first, second);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sound() -> Vec<f32> {
        (0..500).map(|id| ((id * 37) % 101) as f32 / 10.0 - 4.0).collect()
    }

    fn changed(fault: &mut LogitsFault, index: usize) -> Vec<f32> {
        let mut logits = sound();
        logits[0] = fault.calls as f32 + index as f32 / 10.0;
        fault.change(index, &mut logits);
        logits
    }

    fn new(fault: Fault) -> LogitsFault {
        LogitsFault::of(fault, &[3, 5]).expect("a fault of logits")
    }

    #[test]
    fn noise_has_the_size_that_it_says_and_is_the_same_when_read_again() {
        for (fault, nmse) in
            [(Fault::NoiseThousandth, 1e-3), (Fault::NoiseHundredth, 1e-2), (Fault::NoiseWhole, 1.0)]
        {
            let mut fault = new(fault);
            fault.called();
            let (first, again, other) =
                (changed(&mut fault, 0), changed(&mut fault, 0), changed(&mut fault, 1));
            assert_eq!(first, again);
            assert_ne!(first[9], other[9]);
            let mut before = sound();
            before[0] = 1.0;
            let square = |x: f32| f64::from(x).powi(2);
            let error: f64 = first.iter().zip(&before).map(|(a, b)| square(a - b)).sum();
            let whole: f64 = before.iter().map(|x| square(*x)).sum();
            assert!((error / whole / nmse - 1.0).abs() < 1e-3, "{} for {nmse}", error / whole);
        }
    }

    #[test]
    fn stale_logits_are_those_of_the_call_before_and_stay() {
        let mut fault = new(Fault::LogitsStale);
        fault.called();
        assert_ne!(changed(&mut fault, 0), changed(&mut fault, 1));
        let last = changed(&mut fault, 1);
        for _ in 0..2 {
            fault.called();
            assert_eq!(changed(&mut fault, 0), last);
        }
        fault.begin();
        fault.called();
        assert_ne!(changed(&mut fault, 0), last);
    }

    #[test]
    fn the_third_position_is_swapped_and_no_other() {
        let mut fault = new(Fault::TopTwoSwapped);
        for position in 1..=5 {
            fault.called();
            let (mut logits, before) = (sound(), sound());
            logits[7] = 30.0;
            logits[8] = 40.0;
            fault.change(0, &mut logits);
            fault.change(0, &mut logits.clone());
            let swapped = (logits[7], logits[8]) == (40.0, 30.0);
            assert_eq!(swapped, position == 3, "{position}");
            assert_eq!(logits[9..], before[9..]);
        }
    }

    #[test]
    fn only_what_is_named_changes() {
        let count = |fault, differs: fn(f32, f32) -> bool| {
            let mut fault = new(fault);
            let mut logits = sound();
            fault.change(0, &mut logits);
            logits.iter().zip(sound()).filter(|(a, b)| differs(**a, *b)).count()
        };
        assert_eq!(count(Fault::EogLowered, |a, b| (b - a - 10.0).abs() < 1e-5), 2);
        assert_eq!(count(Fault::EogLowered, |a, b| a != b), 2);
        assert_eq!(count(Fault::LogitsOneNan, |a, _| a.is_nan()), 1);
        assert_eq!(count(Fault::LogitsNan, |a, _| a.is_nan()), 500);
    }
}
