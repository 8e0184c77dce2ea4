//! A page of docs/: its fenced examples, its tables, its words.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) struct Page {
    text: String,
}

impl Page {
    pub(crate) fn read(name: &str) -> Self {
        let path = root().join(name);
        Self { text: std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}")) }
    }

    /// The examples fenced as `json <label>`, with the line after which each begins.
    pub(crate) fn examples(&self, label: &str) -> Vec<(usize, String)> {
        let fence = format!("```json {label}");
        let mut examples = Vec::new();
        let mut lines = self.text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            if line == fence {
                let body: Vec<&str> =
                    lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
                examples.push((number + 1, body.join("\n")));
            }
        }
        examples
    }

    /// Every word in backticks, fenced examples left out.
    pub(crate) fn words(&self) -> BTreeSet<String> {
        let mut fenced = false;
        let prose = self.text.lines().filter(|line| {
            fenced ^= line.starts_with("```");
            !fenced && !line.starts_with("```")
        });
        prose.flat_map(quoted).collect()
    }

    /// The names in backticks in the first column of every table whose head begins with `head`, each with the last
    /// heading before it.
    pub(crate) fn first_column(&self, head: &str) -> Vec<(String, String)> {
        let (mut heading, mut inside, mut names) = (String::new(), false, Vec::new());
        for line in self.text.lines() {
            if line.starts_with('#') {
                line.trim_start_matches(['#', ' ']).clone_into(&mut heading);
            }
            let first = line.strip_prefix("| ").and_then(|row| row.split(" | ").next());
            match first {
                Some(cell) if cell == head => inside = true,
                Some(cell) if inside => {
                    names.extend(quoted(cell).into_iter().map(|name| (heading.clone(), name)));
                }
                _ => inside = inside && line.starts_with('|'),
            }
        }
        names
    }
}

fn quoted(line: &str) -> Vec<String> {
    line.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}
