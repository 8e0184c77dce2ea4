//! A file for programs: looked at before the work begins, written at its end.

use std::path::Path;

use anyhow::{Context as _, Result};
use judge::report::Output;
use serde::Serialize;

use crate::exit::{Exit, OrExit as _};

/// Where a command's figures go.
#[derive(Debug)]
pub(crate) struct JsonFile(Output);

impl JsonFile {
    /// A file at `path`, where one is wanted. What is there stays as it is until [`Self::write`].
    ///
    /// # Errors
    /// When no file can be made there: better now than after the work.
    pub(crate) fn create(path: Option<&Path>) -> Result<Option<Self>> {
        let Some(path) = path else { return Ok(None) };
        let failed = || {
            let path = path.display();
            format!("{path}: no report can be written there; name a file in a folder that can be written to")
        };
        Output::to(path).with_context(failed).or_exit(Exit::Input).map(|output| Some(Self(output)))
    }

    /// Writes `value`, whole or not at all.
    ///
    /// # Errors
    /// Whatever the system says.
    pub(crate) fn write(&self, value: &impl Serialize) -> Result<()> {
        let mut text = serde_json::to_vec_pretty(value)?;
        text.push(b'\n');
        let failed = || format!("{}: cannot write the report", self.0.path().display());
        self.0.write(&text).with_context(failed).or_exit(Exit::Broken)
    }
}
