//! How a command of a page is run.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

/// One command, as pages show it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    /// As it stands there.
    pub(crate) command: String,
    /// Why it is not run.
    pub(crate) not_run: Option<String>,
    /// Backends whose built probes it asks.
    #[serde(default)]
    pub(crate) needs: Vec<String>,
    /// What it ends with.
    #[serde(default)]
    pub(crate) exit: i32,
    /// What it says, on either stream.
    #[serde(default)]
    pub(crate) says: Vec<String>,
    /// Other words in the place of some: of placeholders, or of what would take too long; nothing takes one out.
    #[serde(default)]
    pub(crate) words: BTreeMap<String, String>,
    /// Words at the end: what makes it quick.
    #[serde(default)]
    pub(crate) add: Vec<String>,
    /// Files that are there, with their contents.
    #[serde(default)]
    pub(crate) files: BTreeMap<String, String>,
    /// Commands before it, in the same place.
    #[serde(default)]
    pub(crate) first: Vec<String>,
    /// Whether it writes into cases or goldens, and is given a copy.
    #[serde(default)]
    pub(crate) copy: bool,
}

/// The list, which is sorted.
pub(crate) fn read(path: &Path) -> Vec<Entry> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let entries: Vec<Entry> =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    for pair in entries.windows(2) {
        assert!(
            pair[0].command < pair[1].command,
            "{} must stand after {}",
            pair[0].command,
            pair[1].command
        );
    }
    entries
}
