//! Stop strings, found across any boundary.

/// Looks for stop strings in a text that comes in parts.
///
/// The match that *ends* first wins, so that generation ends at once and never waits to see whether a longer
/// stop string is coming; of those that end together, the longest, which begins first. So the outcome is the same
/// for any split of the text.
#[derive(Debug)]
pub(crate) struct StopFinder {
    stops: Vec<String>,
    /// Text that may still turn out to be part of a stop string.
    held: String,
    found: Option<String>,
}

impl StopFinder {
    /// A finder for `stops`; empty ones are ignored.
    pub(crate) fn new(stops: &[String]) -> Self {
        let stops = stops.iter().filter(|stop| !stop.is_empty()).cloned().collect();
        Self { stops, held: String::new(), found: None }
    }

    /// The stop string that was found.
    pub(crate) fn found(&self) -> Option<&str> {
        self.found.as_deref()
    }

    /// Takes `text`, and appends to `out` what can no longer be part of a stop string. Once a stop string was
    /// found, nothing more comes out.
    pub(crate) fn push(&mut self, text: &str, out: &mut String) {
        if self.found.is_some() {
            return;
        }
        for c in text.chars() {
            self.held.push(c);
            let ended =
                self.stops.iter().filter(|stop| self.held.ends_with(stop.as_str())).max_by_key(|s| s.len());
            if let Some(stop) = ended {
                out.push_str(&self.held[..self.held.len() - stop.len()]);
                self.found = Some(stop.clone());
                self.held.clear();
                return;
            }
        }
        let kept = self.stops.iter().map(|stop| partial(&self.held, stop)).max().unwrap_or(0);
        out.extend(self.held.drain(..self.held.len() - kept));
    }

    /// Ends: what was held back belongs to the text after all.
    pub(crate) fn finish(&mut self, out: &mut String) {
        out.push_str(&std::mem::take(&mut self.held));
    }
}

/// Length in bytes of the longest end of `text` with which `needle` begins, `needle` itself excepted.
pub(crate) fn partial(text: &str, needle: &str) -> usize {
    let longest = text.len().min(needle.len().saturating_sub(1));
    (1..=longest).rev().find(|&length| text.as_bytes().ends_with(&needle.as_bytes()[..length])).unwrap_or(0)
}
