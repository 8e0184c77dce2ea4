//! Models.

use clap::{Args, Subcommand};

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
