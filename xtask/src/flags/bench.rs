//! Figures, and how llama.cpp's own tools do at the same work.

use std::path::PathBuf;

use clap::Args;

use super::BackendFlags;

/// `bench`
#[derive(Clone, Debug, Args)]
#[command(after_help = "Exit codes: with a peer, 1 where ours is slower; else as `test`")]
pub(crate) struct BenchFlags {
    /// What to run on.
    #[command(flatten)]
    pub(crate) backends: BackendFlags,
    /// How many measured runs, after one that only warms up
    #[arg(long, value_name = "N", default_value = "5", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) runs: u16,
    /// Measure prompts a second instead: `render --batch` beside Jinja2 in Python
    #[arg(long)]
    pub(crate) prompts: bool,
    /// Ask this model instead of the fixtures; with --peer-perplexity, score with it: smollm2, unless another is named
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// How many workers at once; default: one for each processor. A peer has as many threads
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    /// Instead of the suite's figures: compare the sweep over architectures with llama.cpp's test-llama-archs, built by you
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) peer_archs: Option<PathBuf>,
    /// Instead of the suite's figures: compare scoring with llama.cpp's llama-perplexity, built by you
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) peer_perplexity: Option<PathBuf>,
    /// The text that both score; default: docs/cases.md
    #[arg(long, value_name = "FILE", requires = "peer_perplexity")]
    pub(crate) text: Option<PathBuf>,
    /// How many chunks of 512 tokens of it
    #[arg(long, value_name = "N", default_value = "8", requires = "peer_perplexity")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) chunks: u16,
    /// Write the figures for programs
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}
