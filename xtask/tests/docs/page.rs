//! The commands that pages show.

use std::fs;
use std::path::{Path, PathBuf};

/// A command and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) page: String,
    pub(crate) line: usize,
    pub(crate) command: String,
    /// In a sentence rather than on a line of its own.
    pub(crate) in_prose: bool,
}

/// What a line of an example may begin with before the command.
const BEFORE: [&str; 3] = ["$ ", "… | ", "again: "];

const COMMAND: &str = "cargo xtask ";

/// Every command of the README, the guide for contributors and docs/. Results are records of what once was.
pub(crate) fn shown(root: &Path) -> Vec<Shown> {
    let mut pages: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md"].map(|name| root.join(name)).into();
    let docs = fs::read_dir(root.join("docs")).expect("docs").map(|entry| entry.expect("an entry").path());
    pages.extend(docs.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    pages.sort();
    let name = |path: &Path| path.strip_prefix(root).unwrap_or(path).display().to_string();
    pages.iter().flat_map(|path| of_page(&name(path), &fs::read_to_string(path).expect("a page"))).collect()
}

fn of_page(page: &str, text: &str) -> Vec<Shown> {
    let (mut found, mut fenced, mut prose, mut continued) = (Vec::new(), false, String::new(), None);
    for (index, line) in text.lines().enumerate() {
        let is_fence = line.trim_start().starts_with("```");
        fenced ^= is_fence;
        // Every line of the page stays a line, so that places can be counted.
        prose += if fenced || is_fence { "" } else { line };
        prose.push('\n');
        if !fenced {
            continue;
        }
        let (at, begun) = continued.take().unwrap_or((index + 1, String::new()));
        let line = begun + line.trim();
        match line.strip_suffix('\\') {
            Some(half) => continued = Some((at, half.to_owned())),
            None => found.extend(of_line(&line).map(|command| shown_at(page, at, command, false))),
        }
    }
    let mut at = 1;
    for (index, part) in prose.split('`').enumerate() {
        let plain = part.split_whitespace().collect::<Vec<_>>().join(" ");
        if index % 2 == 1 && plain.starts_with(COMMAND) {
            found.push(shown_at(page, at, plain, true));
        }
        at += part.matches('\n').count();
    }
    found
}

fn shown_at(page: &str, line: usize, command: String, in_prose: bool) -> Shown {
    Shown { page: page.to_owned(), line, command, in_prose }
}

/// The command on a line of an example, without what is said about it.
fn of_line(line: &str) -> Option<String> {
    let line = BEFORE.iter().fold(line, |line, before| line.strip_prefix(before).unwrap_or(line));
    let rest = line.strip_prefix(COMMAND)?;
    // What is said about it stands apart.
    let command =
        ["  ", " #"].iter().fold(rest, |rest, gap| rest.split(gap).next().unwrap_or_default()).trim();
    Some(format!("{COMMAND}{command}"))
}
