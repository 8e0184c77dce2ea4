//! Where results go.

use std::path::Path;

use anyhow::Result;
use judge::report::JsonReport;

use crate::exit::{Exit, OrExit as _};

/// The report that is to be written to `path`, which is known to be possible.
///
/// # Errors
/// When no file can be written there. Nothing has run by then.
pub(in crate::commands) fn report(path: Option<&Path>) -> Result<Option<JsonReport>> {
    path.map(JsonReport::create).transpose().or_exit(Exit::Input)
}

/// Whether new goldens are staged for review: on CI, where nobody could review them, never.
pub(in crate::commands) fn stages_goldens(no_stage: bool) -> bool {
    !no_stage && std::env::var_os("CI").is_none()
}
