//! Makes ready what a run needs: programs, probes, fixtures.

use anyhow::Result;

use super::input::Input;
use super::run::run_cases;
use crate::commands::{build, fixtures};
use crate::context::Context;
use crate::exit::Exit;
use crate::flags::TestFlags;

/// Reads what the run is made of, sets up, builds, writes the fixtures, and runs the cases.
pub(in crate::commands) fn run(flags: &TestFlags, context: &Context) -> Result<Exit> {
    let input = Input::read(flags, context)?;
    let subjects = build::subjects(&flags.backends, context)?;
    fixtures::write_those(&input.models, context)?;
    run_cases(flags, input, &subjects)
}
