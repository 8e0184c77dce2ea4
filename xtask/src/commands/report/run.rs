//! Chooses.

use anyhow::Result;

use super::merge;
use crate::context::Context;
use crate::exit::Exit;
use crate::flags::{ReportAction, ReportCommandFlags};

/// Does what the flags say.
pub(in crate::commands) fn run(flags: &ReportCommandFlags, context: &Context) -> Result<Exit> {
    match &flags.action {
        ReportAction::Merge { parts, reports } => merge::run(parts, reports, context),
    }
}
