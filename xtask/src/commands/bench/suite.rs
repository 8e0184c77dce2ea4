//! Runs the suite several times, each in a process of its own, and shows figures.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use anyhow::{Context as _, Result};
use judge::golden::GoldenStore;
use judge::setup::Folders;

use crate::bench::{self, Figures, Preflight, Report, peak_of};
use crate::command_line::CommandLine;
use crate::commands::verdicts::jobs;
use crate::context::Context;
use crate::corpus;
use crate::exit::{Exit, OrExit as _};
use crate::flags::BenchFlags;
use crate::json_file::JsonFile;
use crate::setup::{self, Mode, Need};

/// One run to warm up (it also builds), then the measured ones.
pub(super) fn run(flags: &BenchFlags, context: &Context) -> Result<Exit> {
    let json = JsonFile::create(flags.json.as_deref())?;
    if flags.prompts {
        return prompts(flags, json.as_ref(), context);
    }
    let program = this_program()?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let report = folder.path().join("report.json");
    let (mut reports, mut worst) = (Vec::new(), Exit::Fine);
    for index in 0..=flags.runs {
        eprintln!("bench: run {index} of {}{}", flags.runs, if index == 0 { ", to warm up" } else { "" });
        let exit = measure(&suite(&program, flags, &report), context)?;
        match exit {
            Exit::Fine => {}
            Exit::Verdicts => worst = exit,
            _ => {
                eprintln!("bench: the suite did not run to its end, so its figures would say nothing");
                return Ok(exit);
            }
        }
        reports.push(Report::read(&report)?);
    }
    let preflight = preflight(&program, flags.runs, context)?;
    let goldens = golden_positions(flags, context)?;
    let figures = Figures::of(&reports[1..], jobs(flags.jobs), &goldens, preflight);
    print!("{}", figures.table());
    println!("{} runs of {} items, xtask built for {}", figures.runs, figures.items, profile());
    if worst != Exit::Fine {
        println!("some verdicts are bad: see `cargo xtask test`");
    }
    json.map_or(Ok(()), |json| json.write(&figures))?;
    Ok(worst)
}

/// Prompts a second.
fn prompts(flags: &BenchFlags, json: Option<&JsonFile>, context: &Context) -> Result<Exit> {
    let mode = Mode::from_flag(flags.backends.setup);
    setup::ensure(&[Need::Pip, Need::Transformers], mode, &context.machine)?;
    let speeds = bench::prompts::measure(&corpus::folder(&context.workspace), &context.machine)?;
    print!("{}", bench::prompts::table(&speeds));
    println!("xtask built for {}", profile());
    json.map_or(Ok(()), |json| json.write(&speeds))?;
    Ok(Exit::Fine)
}

/// Where we lie.
pub(super) fn this_program() -> Result<PathBuf> {
    crate::itself::program()
}

/// The bytes of each position in the goldens of the model that was named.
fn golden_positions(flags: &BenchFlags, context: &Context) -> Result<Vec<usize>> {
    let Some(model) = &flags.model else { return Ok(Vec::new()) };
    let folders = Folders::of_workspace(context.workspace.root());
    GoldenStore::new(folders.golden(), false).position_bytes(model).or_exit(Exit::Input)
}

const fn profile() -> &'static str {
    if cfg!(debug_assertions) { "development" } else { "release" }
}

/// `cargo xtask test` without cargo, which would have its own share in time and memory.
fn suite(program: &Path, flags: &BenchFlags, report: &Path) -> CommandLine {
    let line = CommandLine::new(&program.display().to_string(), ["test", "--backend"])
        .arg(flags.backends.backend.join(","))
        .args(["--json", &report.display().to_string()])
        .args(flags.model.iter().flat_map(|model| ["--model".to_owned(), model.clone()]))
        .args(flags.jobs.iter().flat_map(|jobs| ["--jobs".to_owned(), jobs.to_string()]));
    if flags.backends.setup { line.arg("--setup") } else { line }
}

/// Runs the suite; only what goes wrong is shown.
fn measure(line: &CommandLine, context: &Context) -> Result<Exit> {
    let mut command = line.clone().in_folder(context.workspace.root()).command(&context.machine)?;
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
    let status = status.with_context(|| format!("cannot start `{line}`"))?;
    Ok(match status.code() {
        Some(0) => Exit::Fine,
        Some(1) => Exit::Verdicts,
        code => Exit::Passed(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(Exit::Broken.code())),
    })
}

/// `preflight` of a file of 5 GiB that takes no disk space: in a process of its own, start and end included.
fn preflight(program: &Path, runs: u16, context: &Context) -> Result<Preflight> {
    let line = CommandLine::new(&program.display().to_string(), ["preflight", "--model", "sparse-article"])
        .args(["--device", "8gb", "--json", "--peak-memory"]);
    let mut measured = Vec::new();
    for _ in 0..=runs {
        let mut command = line.clone().in_folder(context.workspace.root()).command(&context.machine)?;
        let begin = Instant::now();
        let output =
            command.stdin(Stdio::null()).output().with_context(|| format!("cannot start `{line}`"))?;
        let milliseconds = begin.elapsed().as_secs_f64() * 1000.0;
        measured.push((milliseconds, peak_of(&String::from_utf8_lossy(&output.stderr))));
    }
    // The first one also makes the file.
    Ok(Preflight::of(&measured[1..]))
}

#[cfg(test)]
mod tests {
    use crate::flags::BackendFlags;

    use super::*;

    #[test]
    fn the_command_line() {
        let backend = vec!["cpu".to_owned(), "metal".to_owned()];
        let backends = BackendFlags { backend, llama_src: None, setup: true };
        let flags = BenchFlags {
            backends,
            runs: 1,
            prompts: false,
            model: Some("m".into()),
            jobs: Some(3),
            peer_archs: None,
            peer_perplexity: None,
            text: None,
            chunks: 8,
            json: None,
        };
        assert_eq!(
            suite(Path::new("/x/xtask"), &flags, Path::new("/t/r.json")).to_string(),
            "/x/xtask test --backend cpu,metal --json /t/r.json --model m --jobs 3 --setup"
        );
    }
}
