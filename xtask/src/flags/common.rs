//! What several commands have in common.

use std::path::PathBuf;

use clap::Args;
use clap::builder::ArgPredicate;

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
