//! What every command works with.

use anyhow::Result;

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
        let workspace = Workspace::around(&std::env::current_dir()?)?;
        Ok(Self { machine: Machine::current(), workspace })
    }
}
