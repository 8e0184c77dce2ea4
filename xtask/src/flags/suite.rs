//! Asking cases, and what comes of it.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use judge::plan::Partition;

use super::{BackendFlags, ReportFlags};

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
    /// Run this case, and again whenever its file, its goldens or a probe change; Ctrl-C ends it
    #[arg(long, value_name = "CASE", conflicts_with_all = ["filter", "list", "partition", "record"])]
    pub(crate) watch: Option<String>,
    /// Find the operator where numbers are wrong, of the first three such items of each subject
    #[arg(long)]
    pub(crate) trace: bool,
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
