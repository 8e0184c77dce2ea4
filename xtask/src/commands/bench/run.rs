//! Which comparison was asked for.

use anyhow::Result;

use super::{peers, suite};
use crate::context::Context;
use crate::exit::Exit;
use crate::flags::BenchFlags;

/// With a peer, the comparison; else the suite's own figures.
pub(crate) fn run(flags: &BenchFlags, context: &Context) -> Result<Exit> {
    if flags.peer_archs.is_some() || flags.peer_perplexity.is_some() {
        peers::run(flags, context)
    } else {
        suite::run(flags, context)
    }
}
