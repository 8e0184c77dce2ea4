//! The commands, one a file. A command reads its flags, calls the rooms that do the work, and prints.

mod asking;
mod bench;
mod build;
mod calibrate;
mod ci;
mod completions;
mod corpus;
mod device;
mod doctor;
mod explain;
mod faults;
mod fixtures;
mod fuzz;
mod judge;
mod lint;
mod models;
mod new;
mod preflight;
mod render;
mod report;
mod review;
mod test;
mod trace;
mod verdicts;
mod verify;

use anyhow::Result;

use crate::context::Context;
use crate::exit::Exit;
use crate::flags::Command;

impl Command {
    /// Runs it in the checkout that `context` finds. Without one, logs and findings can still be explained, files looked
    /// at, and a shell can have its completions.
    pub(crate) fn run(&self, context: impl FnOnce() -> Result<Context>) -> Result<Exit> {
        match self {
            Self::Explain(flags) => explain::run(flags, context().ok().as_ref()),
            Self::Verify(flags) => verify::run(flags, context().ok().as_ref()),
            Self::Lint(flags) => lint::run(flags, context().ok().as_ref()),
            Self::Completions(flags) => Ok(completions::run(flags)),
            Self::RenderChild => crate::render::serve().map(|()| Exit::Fine),
            _ => self.run_in(&context()?),
        }
    }

    fn run_in(&self, context: &Context) -> Result<Exit> {
        match self {
            Self::New(flags) => new::run(flags, context),
            Self::Test(flags) => test::run(flags, context),
            Self::Judge(flags) => judge::run(flags, context),
            Self::Report(flags) => report::run(flags, context),
            Self::Review(flags) => review::run(flags, context),
            Self::Faults(flags) => faults::run(flags, context),
            Self::Trace(flags) => trace::run(flags, context),
            Self::Calibrate(flags) => calibrate::run(flags, context),
            Self::Build(flags) => build::run(flags, context),
            Self::Ci(flags) => ci::run(flags, context),
            Self::Device(flags) => device::run(flags, context),
            Self::Models(flags) => models::run(flags, context),
            Self::Fuzz(flags) => fuzz::run(flags, context),
            Self::Fixtures => fixtures::run(context),
            Self::Bench(flags) => bench::run(flags, context),
            Self::Preflight(flags) => preflight::run(flags, context),
            Self::Doctor => doctor::run(context),
            Self::Explain(flags) => explain::run(flags, Some(context)),
            Self::Verify(flags) => verify::run(flags, Some(context)),
            Self::Lint(flags) => lint::run(flags, Some(context)),
            Self::Completions(flags) => Ok(completions::run(flags)),
            Self::Corpus(flags) => corpus::run(flags, context),
            Self::Render(flags) => render::run(flags, context),
            Self::RenderChild => Ok(Exit::Fine),
        }
    }
}
