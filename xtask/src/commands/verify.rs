//! `cargo xtask verify`: is a model's file whole and sound?

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use gguf::integrity::{Expected, FileSeen, Integrity, Severity, check};
use judge::causes::visible;

use crate::context::Context;
use crate::exit::{Exit, OrExit as _};
use crate::flags::VerifyFlags;
use crate::models;
use crate::progress;
use crate::wrap::{columns, wrapped};

/// Most problems that are shown to a person.
const SHOWN: usize = 20;

/// Reads the file that the flags name from end to end, and says what is wrong.
pub(super) fn run(flags: &VerifyFlags, context: Option<&Context>) -> Result<Exit> {
    let chosen = models::chosen(&flags.model, context)?;
    let expected = match (&flags.sha256[..], chosen.sha256) {
        ([], None) => Expected::default(),
        ([], Some((sum, source))) => Expected { sha256: vec![sum], source },
        (sums, _) => Expected { sha256: sums.to_vec(), source: "--sha256".to_owned() },
    };
    let bar = progress::bytes("reading", chosen.path.metadata().map_or(0, |file| file.len()));
    let outcome = check(&chosen.path, &expected, &mut |bytes| bar.inc(bytes)).or_exit(Exit::Input)?;
    bar.finish_and_clear();
    if flags.sha256.len() > outcome.files.len() {
        let (sums, files) = (flags.sha256.len(), outcome.files.len());
        return Err(
            Exit::Usage.error(format!("--sha256 names {sums} checksums for {files} files; one a part"))
        );
    }
    if flags.json {
        println!("{}", serde_json::to_string_pretty(&outcome)?);
    } else {
        print!("{}", wrapped(&visible(&text(&outcome)), columns()));
    }
    Ok(if outcome.sound { Exit::Fine } else { Exit::Verdicts })
}

/// What a person reads: the files, what is wrong with them, and one last line.
fn text(outcome: &Integrity) -> String {
    let mut text = String::new();
    for file in &outcome.files {
        text.push_str(&described(file));
    }
    for problem in outcome.problems.iter().take(SHOWN) {
        let file = if outcome.files.len() > 1 { format!(" {}", name(&problem.file)) } else { String::new() };
        let _ = writeln!(text, "{} ({}){file}: {}", problem.severity, problem.code, problem.message);
    }
    let hidden = outcome.problems.len().saturating_sub(SHOWN) as u64 + outcome.left_out;
    if hidden > 0 {
        let _ = writeln!(text, "and {hidden} more: `--json` shows them");
    }
    let worst = outcome.problems.iter().map(|problem| problem.severity).max();
    let verdict = match (outcome.sound, worst) {
        (false, _) => "damaged: it cannot be right as it is",
        (true, Some(Severity::Warning)) => {
            "sound, as far as the file alone can tell, but look at the warnings"
        }
        (true, _) => "sound: nothing is missing, and every number is one",
    };
    let _ = writeln!(text, "{verdict}{}", checksum_hint(outcome));
    text
}

/// A file with other weights of the same shape is as sound as the right one.
fn checksum_hint(outcome: &Integrity) -> &'static str {
    let unknown = outcome.files.iter().all(|file| file.as_said_by.is_none());
    if outcome.sound && unknown {
        "\nwhether it is what was published, only a checksum tells: --sha256 SUM"
    } else {
        ""
    }
}

fn described(file: &FileSeen) -> String {
    let mut text = format!("{}\n  {}", file.path.display(), progress::size(file.bytes));
    if let Some(version) = file.version {
        let count: u64 = file.tensors.values().sum();
        let _ = write!(text, ", GGUF version {version}, {} metadata keys, {count} tensors", file.keys);
        let types: Vec<_> = file.tensors.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        if !types.is_empty() {
            let _ = write!(text, "\n  {}", types.join(", "));
        }
    }
    let said = file.as_said_by.as_ref().map(|source| format!("\n  as {source} says")).unwrap_or_default();
    let _ = writeln!(text, "\n  sha256 {}{said}", file.sha256);
    text
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
