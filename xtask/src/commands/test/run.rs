//! Runs the cases on what was built.

use anyhow::Result;

use crate::backend::SubjectFile;
use crate::context::Context;
use crate::exit::Exit;
use crate::flags::TestFlags;
use crate::models::{self, Cache};

/// Runs the cases that `flags` choose on `subjects`.
pub(super) fn run_cases(flags: &TestFlags, subjects: &[SubjectFile], context: &Context) -> Result<Exit> {
    let registry = models::read(&context.workspace)?;
    let places = Cache::new(&context.machine, &context.workspace)?.places().clone();
    let launches: Vec<_> = subjects.iter().map(|subject| subject.worker().to_string()).collect();
    Err(Exit::NothingRan.error(format!(
        "ready to run {} on {} models in {} {:?}, but this build of xtask has no case runner",
        launches.join(", "),
        registry.entries().len(),
        places.fixtures.display(),
        flags.filter
    )))
}
