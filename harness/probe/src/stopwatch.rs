//! Time spent inside llama.cpp.

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

/// Adds up the time of the calls that are made through it.
#[derive(Debug, Default)]
pub(crate) struct Stopwatch(Cell<Duration>);

impl Stopwatch {
    /// Runs `call` and adds its time.
    pub(crate) fn time<T>(&self, call: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = call();
        self.0.set(self.0.get() + start.elapsed());
        result
    }

    /// Microseconds since the last call of this function.
    pub(crate) fn take_us(&self) -> u64 {
        u64::try_from(self.0.take().as_micros()).unwrap_or(u64::MAX)
    }
}
