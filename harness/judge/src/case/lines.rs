//! Where the parts of a case stand in its file.

use serde::Deserialize;
use serde_json::value::RawValue;

/// Lines, counted from 1. Those of a case that was read from no file are all 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lines {
    stimulus: Option<usize>,
    checks: Vec<usize>,
}

/// The parts, as slices of the source.
#[derive(Deserialize)]
struct Parts<'a> {
    #[serde(borrow)]
    stimulus: &'a RawValue,
    #[serde(borrow)]
    checks: Vec<&'a RawValue>,
}

impl Lines {
    /// The lines of the parts of `source`; of what is no case, none.
    pub(super) fn of(source: &str) -> Self {
        let Ok(parts) = serde_json::from_str::<Parts<'_>>(source) else { return Self::default() };
        let line = |part: &RawValue| {
            // A borrowed part lies inside the source.
            let at = part.get().as_ptr() as usize - source.as_ptr() as usize;
            source[..at].matches('\n').count() + 1
        };
        Self {
            stimulus: Some(line(parts.stimulus)),
            checks: parts.checks.iter().map(|part| line(part)).collect(),
        }
    }

    /// The line of the `check`-th check, else that of the stimulus, else 1.
    pub(super) fn of_check(&self, check: Option<usize>) -> usize {
        check.and_then(|check| self.checks.get(check).copied()).or(self.stimulus).unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_check_has_its_line() {
        let source = "{\n \"id\": \"é\",\n \"stimulus\": {\"inspect\": {}},\n \"checks\": [\n  {\"a\": 1}, {\"b\": 2},\n\n  {\"c\": 3}]}";
        let lines = Lines::of(source);
        let seen: Vec<usize> =
            [None, Some(0), Some(1), Some(2), Some(3)].map(|check| lines.of_check(check)).into();
        assert_eq!(seen, [3, 5, 5, 7, 3]);
        assert_eq!(Lines::of("{").of_check(Some(0)), 1);
    }
}
