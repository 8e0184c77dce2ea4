//! The commands.

use clap::{Parser, Subcommand};

use super::{
    BenchFlags, BuildFlags, CalibrateFlags, CiFlags, CompletionsFlags, CorpusFlags, DeviceFlags,
    ExplainFlags, FaultsFlags, FuzzFlags, JudgeFlags, LintFlags, ModelsFlags, NewFlags, PreflightFlags,
    RenderFlags, ReportCommandFlags, ReviewFlags, TestFlags, TraceFlags, VerifyFlags,
};

/// `cargo xtask …`
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "Is this llama.cpp runtime sound?")]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Flags {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The table of exit codes, for the help text.
const EXIT_CODES: &str = "\
Exit codes: 0 fine, 1 verdicts, 2 usage, 3 an input file, 4 a missing program or probe, 5 the harness is broken, \
6 nothing ran or fewer items than the floor, 7 a template gives no prompt, 8 a template passes a limit, 10-19 a device, 130 interrupted; ci passes on the code of the step that failed";

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run cases on backends and judge them
    Test(TestFlags),
    /// Judge a recording again: no probe and no model is needed
    Judge(JudgeFlags),
    /// Make one report of several: `report merge A.json B.json --html all.html`
    Report(ReportCommandFlags),
    /// Begin something: `new case FAMILY/NAME`
    New(NewFlags),
    /// Look at goldens that wait for review, by what changed in meaning, and accept or reject them
    Review(ReviewFlags),
    /// Prove that every check can fail: break the subject in each known way, one at a time
    Faults(FaultsFlags),
    /// Name the node of the graph at which a backend computes wrong numbers
    Trace(TraceFlags),
    /// Measure how far sound and broken subjects are apart, and where each tolerance lies between
    Calibrate(CalibrateFlags),
    /// Build the probes of backends
    Build(BuildFlags),
    /// Run everything that must pass before a change is merged
    Ci(CiFlags),
    /// Ask a phone, the app in the simulator, or a wrapper in your own test target
    Device(DeviceFlags),
    /// List, fetch, verify or make models
    Models(ModelsFlags),
    /// Write the fixtures to target/fixtures
    Fixtures,
    /// Feed damaged files to the GGUF reader until one breaks it, or the time is over
    Fuzz(FuzzFlags),
    /// Measure the suite: wall time, overhead per case, peak memory
    Bench(BenchFlags),
    /// Say what is on this machine, what is missing, and how to get it
    Doctor,
    /// Will a model load and chat on a phone? By its file alone, with margins, limits and cures
    Preflight(PreflightFlags),
    /// Read a model's file from end to end: is it whole, and are all its numbers numbers?
    Verify(VerifyFlags),
    /// Look at a chat template and its vocabulary: BOS, ends, turns, thinking, tricks
    Lint(LintFlags),
    /// Say what a log or a finding means, and what to do
    Explain(ExplainFlags),
    /// Print completions of commands and flags for a shell
    Completions(CompletionsFlags),
    /// Show what a model really gets: the prompt that a chat template makes of messages
    Render(RenderFlags),
    /// Fetch real chat templates and vocabularies, and compare every engine with transformers on them
    Corpus(CorpusFlags),
    /// Render lines of standard input under limits; `render` starts it
    #[command(hide = true)]
    RenderChild,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_declaration_is_sound() {
        Flags::command().debug_assert();
    }

    #[test]
    fn backends_are_a_list() {
        let flags = Flags::try_parse_from(["x", "build", "--backend", "cpu,metal"]).unwrap();
        let Command::Build(flags) = flags.command else { panic!("not build") };
        assert_eq!(flags.backends.backend, ["cpu", "metal"]);
    }

    #[test]
    fn a_probe_stands_for_the_default_backend_alone() {
        let backends = |args: &[&str]| {
            let args = ["x", "test"].iter().chain(args);
            let Command::Test(flags) = Flags::try_parse_from(args).unwrap().command else {
                panic!("not test")
            };
            flags.backends.backend
        };
        assert_eq!(backends(&[]), ["cpu"]);
        assert!(backends(&["--probe", "p"]).is_empty());
        assert_eq!(backends(&["--probe", "p", "--backend", "cpu,metal"]), ["cpu", "metal"]);
    }

    #[test]
    fn globs_may_stand_apart_or_together() {
        let flags =
            Flags::try_parse_from(["x", "test", "--filter", "a*", "b", "--filter", "c", "--list"]).unwrap();
        let Command::Test(flags) = flags.command else { panic!("not test") };
        assert_eq!(flags.filter, ["a*", "b", "c"]);
        assert!(flags.list);
        assert_eq!(flags.backends.backend, ["cpu"]);
    }

    #[test]
    fn zero_jobs_make_no_sense() {
        assert_eq!(Flags::try_parse_from(["x", "test", "--jobs", "0"]).unwrap_err().exit_code(), 2);
    }
}
