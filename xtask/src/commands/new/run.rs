//! Chooses what to begin.

use anyhow::Result;

use super::case;
use crate::context::Context;
use crate::exit::Exit;
use crate::flags::{NewAction, NewFlags};

/// Begins what `flags` name.
pub(in crate::commands) fn run(flags: &NewFlags, context: &Context) -> Result<Exit> {
    match &flags.action {
        NewAction::Case(flags) => case::run(flags, context),
    }
}
