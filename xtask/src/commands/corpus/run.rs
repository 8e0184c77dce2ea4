//! Which action.

use std::path::PathBuf;

use anyhow::Result;

use super::check;
use crate::context::Context;
use crate::corpus;
use crate::exit::Exit;
use crate::flags::{CorpusAction, CorpusFlags};
use crate::setup::Mode;

/// Runs one of the actions.
pub(in crate::commands) fn run(flags: &CorpusFlags, context: &Context) -> Result<Exit> {
    match &flags.action {
        CorpusAction::Fetch { setup } => {
            println!("{}", fetch(*setup, context)?.display());
            Ok(Exit::Fine)
        }
        CorpusAction::Check(flags) => check(flags, context),
    }
}

/// Fetches the corpus, unless it is there; where it then lies.
pub(in crate::commands) fn fetch(setup: bool, context: &Context) -> Result<PathBuf> {
    corpus::fetch(Mode::from_flag(setup), context)
}
