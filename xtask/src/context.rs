//! What every command works with.

use anyhow::{Context as _, Result};

use crate::exit::{Exit, OrExit as _};
use crate::machine::Machine;
use crate::workspace::Workspace;

/// The machine and the repository.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    /// Where we run.
    pub(crate) machine: Machine,
    /// What we work on.
    pub(crate) workspace: Workspace,
}

impl Context {
    /// This machine, and the repository around the current folder.
    ///
    /// # Errors
    /// Outside the repository.
    pub(crate) fn current() -> Result<Self> {
        let folder = std::env::current_dir()
            .context("the current folder is gone; change into a llama-conformance checkout")
            .or_exit(Exit::Usage)?;
        let workspace = Workspace::around(&folder)?;
        Ok(Self { machine: Machine::current(), workspace })
    }
}
