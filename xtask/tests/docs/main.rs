//! No command that a page shows may rot: each is still a command with these flags, and does what it is shown for.
//!
//! `commands.json` says of each how it is run: in a new folder of the checkout, in a copy of cases and goldens where it
//! writes, with a built probe where it needs one (`LLAMA_CONFORMANCE_REQUIRE` names those that must be there; else the
//! trial is ignored), or not at all, with the reason. What it does not list is looked at as a command line only.
#![forbid(unsafe_code)]

mod entry;
mod page;
mod place;
// The declarations themselves, not the program: so a command line is looked at without being run.
#[expect(unused_imports, reason = "only the command lines are looked at")]
#[path = "../../src/flags/mod.rs"]
mod flags;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::Parser as _;
use clap::error::ErrorKind;
use libtest_mimic::{Arguments, Failed, Trial};

use crate::entry::{Entry, read};
use crate::flags::Flags;
use crate::page::{Shown, shown};

fn main() {
    let (entries, shown) = (read(&here().join("commands.json")), shown(&root()));
    let mut places: BTreeMap<String, Vec<Shown>> = BTreeMap::new();
    for one in shown {
        places.entry(one.command.clone()).or_default().push(one);
    }
    let words = |command: &str| {
        entries.iter().find(|entry| entry.command == command).map(|entry| entry.words.clone())
    };
    let mut trials: Vec<Trial> = places
        .iter()
        .map(|(command, places)| parsed(command, places, words(command).unwrap_or_default()))
        .collect();
    let stale: Vec<String> = entries
        .iter()
        .map(|entry| entry.command.clone())
        .filter(|command| !places.contains_key(command))
        .collect();
    trials.push(Trial::test("no entry is stale", move || {
        if stale.is_empty() {
            Ok(())
        } else {
            Err(format!("no page shows these of commands.json: {stale:#?}").into())
        }
    }));
    trials.extend(entries.into_iter().map(|entry| ran(entry, &required())));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/docs")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The backends whose probes must be there.
fn required() -> BTreeSet<String> {
    let list = std::env::var("LLAMA_CONFORMANCE_REQUIRE").unwrap_or_default();
    list.split(',').map(str::to_owned).collect()
}

/// It is a command, and has these flags, `values` standing for placeholders. In the middle of a sentence what must follow
/// may be left out.
fn parsed(command: &str, places: &[Shown], values: BTreeMap<String, String>) -> Trial {
    let command = command.to_owned();
    let in_prose = places.iter().all(|place| place.in_prose);
    let places: Vec<String> = places.iter().map(|place| format!("{}:{}", place.page, place.line)).collect();
    Trial::test(format!("parsed::{command}"), move || {
        let words = words(&command);
        let value = |word: &String| values.get(word).cloned().unwrap_or_else(|| value(word).to_owned());
        match Flags::try_parse_from(words.iter().map(value).filter(|word| !word.is_empty())) {
            Err(error) if in_prose && error.kind() == ErrorKind::MissingRequiredArgument => Ok(()),
            Err(error) if in_prose && error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                Ok(())
            }
            Err(error) => Err(Failed::from(format!("{}: {error}", places.join(", ")))),
            Ok(_) => Ok(()),
        }
    })
}

/// The words behind `cargo`, what stands in brackets included.
fn words(command: &str) -> Vec<String> {
    let bare = command.replace(['[', ']', '…'], "");
    let words = shlex::split(&bare).unwrap_or_else(|| panic!("{command} is no command line"));
    words.into_iter().skip_while(|word| word != "xtask").collect()
}

/// What may stand for a word in capitals, where not any word will do.
fn value(word: &str) -> &str {
    if word == "K/N" { "1/2" } else { word }
}

/// It ends as it should and says what it should.
fn ran(entry: Entry, required: &BTreeSet<String>) -> Trial {
    let command = entry.command.clone();
    if let Some(why) = &entry.not_run {
        return Trial::test(format!("not-run::{command} ({why})"), || Ok(())).with_ignored_flag(true);
    }
    let room = if entry.needs.is_empty() { "run" } else { "on-llama" };
    let missing = entry.needs.iter().any(|backend| !required.contains(backend));
    Trial::test(format!("{room}::{command}"), move || place::run(&entry, &words(&entry.command), &root()))
        .with_ignored_flag(missing)
}
