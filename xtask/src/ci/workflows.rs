//! A test: whatever workflows and docs/ci.md tell people to run, this program can be told.

use std::fs;
use std::path::Path;

use clap::Parser as _;

use crate::flags::Flags;

const BEGIN: &str = "cargo xtask ";

/// The words after `cargo xtask` in each command of `text`. A variable in quotes stands for one word, which must fit any
/// flag; one without for none, or for words of a workflow's own.
fn commands(text: &str) -> Vec<Vec<String>> {
    let text = text.replace("\\\n", " ");
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let ends = |c: char| "`)#;|".contains(c);
    lines
        .filter_map(|line| Some(line.split_once(BEGIN)?.1.split(ends).next()?.to_owned()))
        .map(|line| line.split_whitespace().filter_map(word).collect())
        .collect()
}

fn word(text: &str) -> Option<String> {
    let plain = text.trim_matches('"');
    Some(match plain {
        "$OS" => "linux".to_owned(),
        "$RUNNERS" => "hosted".to_owned(),
        "$PARTS" => "2".to_owned(),
        variable if variable.starts_with('$') && plain == text => return None,
        variable if variable.starts_with('$') => "1/2".to_owned(),
        plain => plain.to_owned(),
    })
}

#[test]
fn every_command_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let workflows = fs::read_dir(root.join(".github/workflows")).unwrap().map(|entry| entry.unwrap().path());
    let mut count = 0;
    for path in workflows.chain([root.join("docs/ci.md")]) {
        for command in commands(&fs::read_to_string(&path).unwrap()) {
            let words = ["cargo xtask".to_owned()].into_iter().chain(command.iter().cloned());
            if let Err(error) = Flags::try_parse_from(words) {
                panic!("{}: {}: {error}", path.display(), command.join(" "));
            }
            count += 1;
        }
    }
    assert!(count >= 6, "only {count} commands were found");
}

#[test]
fn commands_are_found_in_workflows_and_text() {
    let text = "- run: cargo xtask a --b \"$C\" $D \\\n  --e\n# cargo xtask comment\n\
                or `cargo xtask f g`, then\nj=$(cargo xtask h)\n";
    assert_eq!(
        commands(text),
        [vec!["a", "--b", "1/2", "--e"], vec!["f", "g"], vec!["h"]]
            .map(|words| words.into_iter().map(str::to_owned).collect::<Vec<_>>())
    );
}
