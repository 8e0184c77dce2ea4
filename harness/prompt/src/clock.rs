//! The one moment at which every prompt is rendered.

use jiff::{civil::DateTime, fmt::strtime};
use minijinja::{Error, ErrorKind};

/// What `strftime_now` takes for now: Friday, 26 July 2024, 12:00:00. Transformers reads the clock instead; a
/// prompt with today's date in it would differ from yesterday's golden. The day is the one that Llama 3.1's
/// template falls back to where no clock is given.
pub const FROZEN_NOW: DateTime = jiff::civil::datetime(2024, 7, 26, 12, 0, 0, 0);

/// [`FROZEN_NOW`] in seconds since 1970-01-01, as if there were no time zones.
pub const FROZEN_NOW_SECONDS: i64 = 1_721_995_200;

/// `strftime_now(format)` as transformers defines it, at [`FROZEN_NOW`].
pub(crate) fn strftime_now(format: &str) -> Result<String, Error> {
    strtime::format(format, FROZEN_NOW).map_err(|error| {
        Error::new(ErrorKind::InvalidOperation, format!("strftime_now cannot format {format:?}: {error}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_the_same_moment() {
        let start = jiff::civil::datetime(1970, 1, 1, 0, 0, 0, 0);
        let passed = FROZEN_NOW.since((jiff::Unit::Second, start)).map(|span| span.get_seconds());
        assert_eq!(passed.ok(), Some(FROZEN_NOW_SECONDS));
    }
}
