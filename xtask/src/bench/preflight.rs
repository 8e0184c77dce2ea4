//! What `preflight` of a large file takes: the promise is 100 ms and 50 MB for 5 GiB.

use judge::report::peak_memory_bytes;
use serde::Serialize;

use super::Spread;

/// How the line begins that says what a process took.
const PEAK: &str = "peak memory in bytes: ";

/// Figures over several runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Preflight {
    /// Wall time of the process in milliseconds.
    pub(crate) wall_ms: Spread,
    /// The most memory that it had, in bytes.
    pub(crate) peak_memory_bytes: Option<u64>,
}

impl Preflight {
    /// Of runs: milliseconds, and bytes where they are known.
    pub(crate) fn of(runs: &[(f64, Option<u64>)]) -> Self {
        Self {
            wall_ms: Spread::of(runs.iter().map(|(milliseconds, _)| *milliseconds)),
            peak_memory_bytes: runs.iter().filter_map(|(_, bytes)| *bytes).max(),
        }
    }
}

/// What this process took, in a line for [`peak_of`].
pub(crate) fn peak_line() -> String {
    format!("{PEAK}{}", peak_memory_bytes().unwrap_or(0))
}

/// What a process says that it took.
pub(crate) fn peak_of(said: &str) -> Option<u64> {
    let line = said.lines().find_map(|line| line.strip_prefix(PEAK))?;
    line.trim().parse().ok().filter(|bytes| *bytes > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_read() {
        // It grows between one look and the next.
        assert!(peak_of(&peak_line()) <= peak_memory_bytes());
        assert_eq!(peak_of("peak memory in bytes: 12\n"), Some(12));
        assert_eq!(peak_of("something else"), None);
    }
}
