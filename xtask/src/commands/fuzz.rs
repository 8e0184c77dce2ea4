//! `cargo xtask fuzz`: damaged files, made without end, for the GGUF reader and the integrity check.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context as _, Result};

use crate::command_line::CommandLine;
use crate::context::Context;
use crate::exit::Exit;
use crate::flags::FuzzFlags;
use crate::machine::Host;

/// The crate with the target and its seeds.
const CRATE: &str = "harness/gguf/fuzz";

/// What makes a stable compiler count which code an input reaches, so that the fuzzer can prefer those that reach more:
/// the passes that cargo-fuzz asks for, without a sanitizer, since what is fuzzed has no unsafe code.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

/// Where things lie.
#[derive(Debug)]
struct Folders {
    target: PathBuf,
    seeds: PathBuf,
    /// What was found to reach more code, kept between runs.
    corpus: PathBuf,
    /// What broke something.
    broken: PathBuf,
}

impl Folders {
    fn new(context: &Context) -> Self {
        let target = context.workspace.target().join("fuzz");
        Self {
            seeds: context.workspace.root().join(CRATE).join("corpus"),
            corpus: target.join("corpus"),
            broken: target.join("broken"),
            target,
        }
    }
}

/// Builds the target, runs it for as long as the flags say, and says how many inputs were tried.
pub(super) fn run(flags: &FuzzFlags, context: &Context) -> Result<Exit> {
    let host = context.machine.host;
    let Some(triple) = triple(host) else {
        println!("left out: nobody has tried the fuzzer on {host}; it runs on Linux");
        return Ok(Exit::Fine);
    };
    let folders = Folders::new(context);
    for folder in [&folders.corpus, &folders.broken] {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    build(&folders, triple)
        .in_folder(context.workspace.root())
        .run_checked(&context.machine, Exit::Broken)?;
    let line = fuzz(&folders, triple, flags.seconds).in_folder(context.workspace.root());
    let mut command = line.command(&context.machine)?;
    let mut child = command
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{line}`"))?;
    let output = child.stderr.take().with_context(|| format!("`{line}` has no output"))?;
    let mut said = Said::default();
    for text in BufReader::new(output).split(b'\n') {
        said.line(&String::from_utf8_lossy(&text?));
    }
    let status = child.wait()?;
    if status.success() {
        println!("{} damaged files read in {} s: none broke the reader", said.inputs, flags.seconds);
        return Ok(Exit::Fine);
    }
    println!("{}", said.why.join("\n"));
    let again = match &said.broken {
        Some(path) => {
            format!("{} shows it; mend the reader, then add the file to {CRATE}/corpus", path.display())
        }
        None => format!("`{line}` shows it again"),
    };
    println!("the reader broke ({status}): {again}");
    Ok(Exit::Verdicts)
}

/// The target that the compiler makes for; naming it keeps the flags off what runs while building.
fn triple(host: Host) -> Option<&'static str> {
    match (host.os, host.arch) {
        ("linux", "x86_64") => Some("x86_64-unknown-linux-gnu"),
        ("linux", "aarch64") => Some("aarch64-unknown-linux-gnu"),
        _ => None,
    }
}

fn build(folders: &Folders, triple: &str) -> CommandLine {
    let manifest = format!("{CRATE}/Cargo.toml");
    CommandLine::new("cargo", ["build", "--quiet", "--locked", "--release", "--manifest-path", &manifest])
        .args(["--target", triple, "--target-dir", &shown(&folders.target)])
        .env("RUSTFLAGS", FLAGS)
        .unset("CARGO_ENCODED_RUSTFLAGS")
}

/// New inputs go into the first folder; from the second one it only reads.
fn fuzz(folders: &Folders, triple: &str, seconds: u32) -> CommandLine {
    let program = folders.target.join(triple).join("release/gguf-fuzz");
    CommandLine::new(&shown(&program), [shown(&folders.corpus), shown(&folders.seeds)])
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={}/", shown(&folders.broken)))
        .args(["-max_len=65536", "-timeout=10", "-rss_limit_mb=1024", "-print_final_stats=1"])
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// What libFuzzer told on its standard error.
#[derive(Debug, Default)]
struct Said {
    inputs: u64,
    broken: Option<PathBuf>,
    /// The panic, or the fuzzer's own reason.
    why: Vec<String>,
}

/// Whether a line is the first that says what broke.
fn begins_why(line: &str) -> bool {
    line.contains("panicked at") || line.contains("ERROR: libFuzzer")
}

impl Said {
    fn line(&mut self, line: &str) {
        if let Some(count) = line.strip_prefix("stat::number_of_executed_units:") {
            self.inputs = count.trim().parse().unwrap_or(0);
        } else if let Some((_, path)) = line.split_once("Test unit written to ") {
            self.broken = Some(PathBuf::from(path.trim()));
        } else if self.why.len() < 3 && (begins_why(line) || !self.why.is_empty()) {
            self.why.push(line.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::FakeMachine;

    #[test]
    fn the_command_lines() {
        let fake = FakeMachine::new("linux", "x86_64");
        let context = Context { machine: fake.machine(), workspace: fake.workspace() };
        let folders = Folders::new(&context);
        let root = shown(context.workspace.root());
        let text = |line: CommandLine| line.to_string().replace(&root, "ROOT");
        let triple = triple(context.machine.host).unwrap();
        assert!(text(build(&folders, triple)).ends_with(
            "cargo build --quiet --locked --release --manifest-path harness/gguf/fuzz/Cargo.toml --target \
             x86_64-unknown-linux-gnu --target-dir ROOT/target/fuzz"
        ));
        assert_eq!(
            text(fuzz(&folders, triple, 60)),
            "ROOT/target/fuzz/x86_64-unknown-linux-gnu/release/gguf-fuzz ROOT/target/fuzz/corpus \
             ROOT/harness/gguf/fuzz/corpus -max_total_time=60 -artifact_prefix=ROOT/target/fuzz/broken/ \
             -max_len=65536 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1"
        );
    }

    #[test]
    fn what_the_fuzzer_says_is_understood() {
        let mut said = Said::default();
        for line in [
            "#2\tINITED cov: 5",
            "thread '<unnamed>' panicked at harness/gguf/src/format/parse.rs:1:2:",
            "attempt to add with overflow",
            "note: run with `RUST_BACKTRACE=1`",
            "==7== ERROR: libFuzzer: deadly signal",
            "artifact_prefix='b/'; Test unit written to b/crash-01",
            "stat::number_of_executed_units: 1234",
        ] {
            said.line(line);
        }
        assert_eq!((said.inputs, said.broken), (1234, Some(PathBuf::from("b/crash-01"))));
        assert_eq!(said.why[1], "attempt to add with overflow");
    }

    /// Cargo that does nothing, and a fuzzer that ends as it is told.
    fn ran(fuzzer: &str) -> Exit {
        let fake = FakeMachine::new("linux", "x86_64");
        fake.logged("cargo", "");
        let context = Context { machine: fake.machine(), workspace: fake.workspace() };
        let program = Folders::new(&context).target.join("x86_64-unknown-linux-gnu/release/gguf-fuzz");
        fs::create_dir_all(program.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(fake.program("fuzzer", fuzzer), &program).unwrap();
        run(&FuzzFlags { seconds: 1 }, &context).unwrap()
    }

    #[test]
    fn a_broken_reader_is_a_verdict() {
        assert_eq!(ran("echo 'stat::number_of_executed_units: 5' >&2"), Exit::Fine);
        assert_eq!(ran("echo 'panicked at x' >&2; exit 77"), Exit::Verdicts);
    }
}
