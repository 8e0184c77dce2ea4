//! Makes ready what a run needs: programs, probes, fixtures.

use anyhow::Result;
use judge::built::SubjectFile;

use super::input::Input;
use super::run::run_cases;
use super::watch::watch;
use crate::backend;
use crate::commands::{build, fixtures};
use crate::context::Context;
use crate::exit::Exit;
use crate::flags::TestFlags;

/// Reads what the run is made of, sets up, builds, writes the fixtures, and runs the cases: once, or whenever something
/// changes.
pub(in crate::commands) fn run(flags: &TestFlags, context: &Context) -> Result<Exit> {
    match &flags.watch {
        Some(case) => watch(case, flags, context),
        None => {
            let (input, subjects) = ready(flags, context)?;
            run_cases(flags, input, &subjects)
        }
    }
}

/// Everything that is needed before the first question.
pub(super) fn ready(flags: &TestFlags, context: &Context) -> Result<(Input, Vec<SubjectFile>)> {
    let input = Input::read(flags, context)?;
    let mut subjects = build::subjects(&flags.backends, context)?;
    subjects.iter().try_for_each(|subject| backend::in_use(&subject.card))?;
    for program in &flags.probe {
        add(backend::carried(program, &context.machine)?, &mut subjects)?;
    }
    fixtures::write_those(&input.models, context)?;
    fixtures::write_those(&input.suite.companions(&input.folders, &input.models), context)?;
    Ok((input, subjects))
}

/// Subjects are told apart by their names alone.
fn add(subject: SubjectFile, subjects: &mut Vec<SubjectFile>) -> Result<()> {
    if let Some(other) = subjects.iter().find(|other| other.backend == subject.backend) {
        let (one, other, name) = (subject.path.display(), other.path.display(), &subject.backend);
        return Err(Exit::Usage.error(format!("{other} and {one} both say that they are {name}")));
    }
    subjects.push(subject);
    Ok(())
}
