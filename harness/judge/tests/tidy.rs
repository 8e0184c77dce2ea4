//! House rules that no other tool checks, over every file of the repository.
//!
//! Not here, because they have their place: `todo!`, `unimplemented!`, `dbg!` and `#[allow]` (clippy, by
//! `[workspace.lints]`, which every crate must take over: that is checked here), and the order of data lists (whoever
//! reads one refuses it unsorted; `cases_folder.rs` and the gguf crate's tests read them all).

use std::path::{Path, PathBuf};

/// `mod.rs` and `lib.rs` that hold functions, and why.
const WITH_FUNCTIONS: [(&str, &str); 1] =
    [("xtask/src/commands/mod.rs", "the one match from a command to its file, which main calls")];

const MOST_LINES: usize = 400;

struct File {
    /// Path below the root.
    name: String,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Every text file of the repository with one of these extensions, sorted.
fn files(extensions: &[&str]) -> Vec<File> {
    let (mut folders, mut files) = (vec![root()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            if path.is_dir() && name != "target" && name != ".git" {
                folders.push(path);
            } else if path.is_file() && extensions.contains(&extension) {
                files.push(File { name, text: std::fs::read_to_string(&path).unwrap() });
            }
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(!files.is_empty(), "no files: is {} the repository?", root().display());
    files
}

/// Fails with one line for each problem that `rule` finds in a file.
fn check(extensions: &[&str], rule: impl Fn(&File) -> Vec<String>) {
    let problems: Vec<String> = files(extensions)
        .iter()
        .flat_map(|file| rule(file).into_iter().map(|problem| format!("{}{problem}", file.name)))
        .collect();
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// The lines for which `is_bad`, with their numbers.
fn lines(file: &File, problem: &str, is_bad: impl Fn(&str) -> bool) -> Vec<String> {
    let bad = file.text.lines().enumerate().filter(|(_, line)| is_bad(line));
    bad.map(|(index, line)| format!(":{}: {problem}: {}", index + 1, line.trim())).collect()
}

#[test]
fn every_module_says_what_it_is() {
    check(&["rs"], |file| {
        let says = file.text.starts_with("//! ");
        if says { Vec::new() } else { vec![": the first line must say what the file is: //! …".into()] }
    });
}

#[test]
fn no_file_is_too_long() {
    check(&["rs"], |file| {
        let lines = file.text.lines().count();
        let problem = format!(": {lines} lines; divide it by its nouns, {MOST_LINES} are the most");
        if lines > MOST_LINES { vec![problem] } else { Vec::new() }
    });
}

#[test]
fn entrances_hold_no_functions() {
    check(&["rs"], |file| {
        let is_entrance = file.name.ends_with("/mod.rs") || file.name.ends_with("/lib.rs");
        let is_excused = WITH_FUNCTIONS.iter().any(|(name, _)| *name == file.name);
        // In tests/ a mod.rs is what keeps Cargo from taking a room for a test.
        if !is_entrance || is_excused || file.name.contains("/tests/") {
            return Vec::new();
        }
        lines(file, "mod.rs and lib.rs only declare and re-export; move it", is_function)
    });
    for (name, why) in WITH_FUNCTIONS {
        let text = std::fs::read_to_string(root().join(name)).unwrap_or_default();
        assert!(
            text.lines().any(is_function),
            "{name} holds no function any more ({why}): take it off the list"
        );
    }
}

fn is_function(line: &str) -> bool {
    let mut words = line.split_whitespace().skip_while(|word| {
        word.starts_with("pub") || matches!(*word, "const" | "async" | "unsafe" | "extern" | "\"C\"")
    });
    !line.trim_start().starts_with("//") && words.next() == Some("fn")
}

#[test]
fn no_test_is_ignored() {
    check(&["rs"], |file| lines(file, "mend it or take it out", |line| line.trim().starts_with("#[ignore")));
}

#[test]
fn every_crate_has_the_workspace_lints() {
    check(&["toml"], |file| {
        let has = !file.text.contains("[package]") || file.text.contains("\n[lints]\nworkspace = true\n");
        if has { Vec::new() } else { vec![": add [lints] workspace = true".into()] }
    });
}

#[test]
fn no_path_of_one_machine() {
    let mut places: Vec<String> = ["home", "root", "Users"].map(|name| format!("/{name}/")).into();
    places.push(format!("{}/", root().display()));
    check(&["jinja", "json", "md", "rs", "snap", "toml", "yml"], |file| {
        lines(file, "a path of one machine", |line| {
            places
                .iter()
                .any(|place| line.match_indices(place.as_str()).any(|(at, _)| !within_a_path(&line[..at])))
        })
    });
}

/// Whether what follows `before` goes on a path or address rather than beginning one: `~/home/`, `$BIN/../root/`.
fn within_a_path(before: &str) -> bool {
    before.ends_with(|last: char| last.is_alphanumeric() || "~._-}/".contains(last))
}

#[test]
fn every_link_between_pages_leads_somewhere() {
    check(&["md"], |file| {
        let folder = root().join(&file.name).parent().unwrap().to_owned();
        let targets = file.text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        let inner = targets.filter(|target| !target.is_empty() && !target.contains("://"));
        inner.filter(|target| !folder.join(target).exists()).map(|t| format!(": no such file: {t}")).collect()
    });
}

/// A page names many files; one that moved must not be looked for where it was.
#[test]
fn every_file_that_a_page_names_is_there() {
    check(&["md"], |file| {
        let words = file.text.split('`').skip(1).step_by(2);
        let is_file = |word: &&str| {
            let named = [".rs", ".json", ".md", ".toml", ".jinja"].iter().any(|end| word.ends_with(end));
            named
                && word.contains('/')
                && !word.contains(['<', '*', ' ', '{', '$'])
                && !word.starts_with("target/")
        };
        words
            .filter(is_file)
            .filter(|w| !root().join(w).exists())
            .map(|w| format!(": no such file: {w}"))
            .collect()
    });
}
