//! The steps of `ci`, cheap ones first.

use crate::command_line::CommandLine;

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it does.
    pub(crate) action: Action,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Runs a program that is silent when all is well.
    Check(CommandLine),
    /// Runs `cargo test` and counts its tests.
    CountTests(CommandLine),
    /// Sets up, builds the probes of [`BACKENDS`], runs the cases on all of them and counts them.
    Cases,
    /// Breaks the CPU probe in each known way, and counts the faults that are caught and blamed as stated.
    Faults,
    /// Runs the cases of some models on a GPU that needs no hardware.
    GpuCases,
    /// The same for the faults that only a GPU can have.
    GpuFaults,
    /// Fetches a real model, runs its cases and counts them.
    RealModel,
    /// Proves what of Apple's side can be proved here.
    Apple,
    /// Feeds damaged files to the GGUF reader for a minute.
    Fuzz,
    /// Fetches real templates and vocabularies, and compares every engine with transformers.
    Corpus,
    /// Runs clippy over the CPU probe, with llama.cpp as [`Action::Cases`] has built it.
    ProbeClippy,
}

/// Whom all cases are asked: the maker of goldens, and the processor at its best.
pub(crate) const BACKENDS: [&str; 2] = ["cpu-baseline", "cpu"];

/// Names the backends whose missing probe is a failure.
const REQUIRE: &str = "LLAMA_CONFORMANCE_REQUIRE";

/// All steps.
pub(crate) fn steps() -> Vec<Step> {
    use Action::{
        Apple, Cases, Check, Corpus, CountTests, Faults, Fuzz, GpuCases, GpuFaults, ProbeClippy, RealModel,
    };
    let check = |name, args| Step { name, action: Check(cargo(args)) };
    let lint = |name, program, args: &str| Step {
        name,
        action: Check(CommandLine::new(program, args.split_whitespace())),
    };
    let count = |name, args| Step { name, action: CountTests(cargo(args)) };
    vec![
        check("format", "fmt --all --check"),
        lint("spelling", "typos", "--format brief"),
        // Without the checkers of scripts that it would look for on PATH: here and there it must say the same.
        lint("workflows", "actionlint", "-no-color -shellcheck= -pyflakes="),
        lint("workflows, safety", "zizmor", "--offline --quiet --no-progress .github"),
        // Known vulnerabilities need the network: `ci advisories`.
        lint("crates", "cargo-deny", "--locked --log-level error check licenses bans sources"),
        check("clippy", "clippy --quiet --workspace --exclude probe --all-targets -- -D warnings"),
        check("clippy, probe", "clippy --quiet -p probe --no-default-features --all-targets -- -D warnings"),
        // Not the root package, whose tests are the cases, nor the tests that need a probe: the last steps run them on
        // one that is built by then.
        count(
            "tests",
            "test --workspace --exclude probe --exclude llama-conformance --exclude browser -- --skip real:: \
             --skip on-llama::",
        ),
        count("tests, HTML report in a browser", "test -p browser"),
        count("tests, probe", "test -p probe --no-default-features"),
        Step { name: "fuzzing", action: Fuzz },
        Step { name: "cases", action: Cases },
        Step { name: "Swift, and Apple's targets", action: Apple },
        Step { name: "faults", action: Faults },
        check("memory, to the byte", "xtask preflight --prove"),
        Step { name: "cases on a GPU", action: GpuCases },
        Step { name: "faults of a GPU", action: GpuFaults },
        Step { name: "cases on a real model", action: RealModel },
        Step { name: "real templates and vocabularies", action: Corpus },
        Step { name: "clippy, probe on llama.cpp", action: ProbeClippy },
        Step {
            name: "endurance on llama.cpp",
            action: CountTests(cargo("test -p xtask --test endurance -- real::").env(REQUIRE, "cpu")),
        },
        Step {
            name: "commands of the pages on llama.cpp",
            action: CountTests(
                cargo("test -p xtask --test docs -- on-llama::").env(REQUIRE, "cpu,cpu-baseline"),
            ),
        },
        // The same cases through `cargo test`, which must not look away: not counted twice.
        Step {
            name: "cases as cargo tests",
            action: Check(cargo("test --quiet -p llama-conformance").env(REQUIRE, "cpu")),
        },
    ]
}

fn cargo(args: &str) -> CommandLine {
    CommandLine::new("cargo", args.split_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_lines() {
        let shown: Vec<String> = steps()
            .iter()
            .map(|step| match &step.action {
                Action::Check(line) => line.to_string(),
                Action::CountTests(line) => format!("count: {line}"),
                action => format!("{action:?}"),
            })
            .collect();
        assert_eq!(
            shown,
            [
                "cargo fmt --all --check",
                "typos --format brief",
                "actionlint -no-color -shellcheck= -pyflakes=",
                "zizmor --offline --quiet --no-progress .github",
                "cargo-deny --locked --log-level error check licenses bans sources",
                "cargo clippy --quiet --workspace --exclude probe --all-targets -- -D warnings",
                "cargo clippy --quiet -p probe --no-default-features --all-targets -- -D warnings",
                "count: cargo test --workspace --exclude probe --exclude llama-conformance --exclude browser -- --skip \
                 real:: --skip on-llama::",
                "count: cargo test -p browser",
                "count: cargo test -p probe --no-default-features",
                "Fuzz",
                "Cases",
                "Apple",
                "Faults",
                "cargo xtask preflight --prove",
                "GpuCases",
                "GpuFaults",
                "RealModel",
                "Corpus",
                "ProbeClippy",
                "count: LLAMA_CONFORMANCE_REQUIRE=cpu cargo test -p xtask --test endurance -- real::",
                "count: LLAMA_CONFORMANCE_REQUIRE=cpu,cpu-baseline cargo test -p xtask --test docs -- on-llama::",
                "LLAMA_CONFORMANCE_REQUIRE=cpu cargo test --quiet -p llama-conformance",
            ]
        );
    }
}
