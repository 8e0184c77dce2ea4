//! Progress of long steps: a bar on a terminal, nothing elsewhere.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar that counts bytes up to `total`. Where standard error is no terminal it stays invisible.
pub(crate) fn bytes(what: &'static str, total: u64) -> ProgressBar {
    let template = "{msg} [{bar:32}] {bytes}/{total_bytes} {bytes_per_sec}";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(total).with_style(style).with_message(what)
}

/// A size for people: `98.4 MB`.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: &[(u64, &str)] = &[(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    match UNITS.iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => format!("{:.1} {name}", bytes as f64 / *unit as f64),
        None => format!("{bytes} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let table = [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 kB"),
            (98_362_432, "98.4 MB"),
            (4_950_000_000, "5.0 GB"),
        ];
        for (bytes, text) in table {
            assert_eq!(size(bytes), text);
        }
    }
}
