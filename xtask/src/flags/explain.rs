//! Somebody's log.

use std::path::PathBuf;

use clap::Args;

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
