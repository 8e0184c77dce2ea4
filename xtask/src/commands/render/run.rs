//! One engine, or all, or a batch.

use std::io::{self, Write as _};
use std::time::Duration;

use anyhow::{Context as _, Result};
use judge::built::SubjectFile;
use judge::plan::Target;
use rendering::{ErrorClass, RenderError, Rendering};
use serde::Serialize;
use wire::TemplateEngine;

use super::{all, batch};
use crate::commands::{build, fixtures};
use crate::context::Context;
use crate::exit::Exit;
use crate::flags::{BackendFlags, EngineChoice, RenderFlags};
use crate::render::{Engines, Made, Sandbox, Source, TokensJson, conversation};

/// Reads everything that a person can get wrong, then renders.
pub(in crate::commands) fn run(flags: &RenderFlags, context: &Context) -> Result<Exit> {
    let source = Source::read(flags, |models| fixtures::write_those(models, context), context)?;
    let deadline = Duration::from_secs(flags.deadline.into());
    if let Some(path) = &flags.batch {
        return batch::run(path, source.as_ref(), deadline);
    }
    let path = flags.messages.as_deref().context("no messages file")?;
    let conversation = conversation(path)?;
    let source = source.ok_or_else(|| {
        Exit::Usage.error("no template; name one with --template FILE, or a model that has one with --model")
    })?;
    let target = needs_probe(flags, &source).then(|| probe(flags, context)).transpose()?;
    let mut engines = Engines::new(Sandbox::new(None, &[], deadline)?, target, deadline);
    let engine = match flags.engine {
        EngineChoice::Minijinja => TemplateEngine::Minijinja,
        EngineChoice::Builtin => TemplateEngine::Builtin,
        EngineChoice::Jinja => TemplateEngine::Jinja,
        EngineChoice::All => return all::run(flags, &source, &conversation, &mut engines),
    };
    let made = engines.make(engine, &source, &conversation)?;
    if flags.json {
        println!("{}", serde_json::to_string_pretty(&OneJson::of(engine, &made))?);
        return Ok(exit_of(&made.rendering));
    }
    match &made.rendering {
        Rendering::Prompt(prompt) => exactly(prompt),
        Rendering::Error(error) => Err(failure(engine, error)),
    }
}

/// llama.cpp's engines are in the probe, and so is what tokenises.
const fn needs_probe(flags: &RenderFlags, source: &Source) -> bool {
    !matches!(flags.engine, EngineChoice::Minijinja) || (flags.json && source.model.is_some())
}

fn probe(flags: &RenderFlags, context: &Context) -> Result<Target> {
    let backend = vec![flags.backend.clone()];
    let flags = BackendFlags { backend, llama_src: None, setup: flags.setup };
    let one = <[SubjectFile; 1]>::try_from(build::subjects(&flags, context)?);
    let one =
        one.map_err(|_| Exit::Usage.error(format!("{} is not one backend; name one", flags.backend[0])))?;
    let [built] = one;
    Ok(built.target(&[]))
}

/// The prompt and nothing else: no newline that is not its own.
fn exactly(prompt: &str) -> Result<Exit> {
    match io::stdout().lock().write_all(prompt.as_bytes()).and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Fine),
        written => written.map(|()| Exit::Fine).context("cannot write to standard output"),
    }
}

/// How a rendering ends the process.
pub(super) const fn exit_of(rendering: &Rendering) -> Exit {
    match rendering {
        Rendering::Prompt(_) => Exit::Fine,
        Rendering::Error(error) => match error.class {
            ErrorClass::Syntax => Exit::Input,
            ErrorClass::Limit => Exit::Limit,
            ErrorClass::Raised | ErrorClass::Failed | ErrorClass::Unsupported => Exit::NoPrompt,
            ErrorClass::Crashed => Exit::Broken,
        },
    }
}

fn failure(engine: TemplateEngine, error: &RenderError) -> anyhow::Error {
    exit_of(&Rendering::Error(error.clone())).error(format!("{}: {}", engine.name(), error.message))
}

/// What one engine made, for programs.
#[derive(Debug, Serialize)]
pub(super) struct OneJson {
    engine: TemplateEngine,
    #[serde(flatten)]
    rendering: Rendering,
    #[serde(flatten)]
    tokens: Option<TokensJson>,
}

impl OneJson {
    pub(super) fn of(engine: TemplateEngine, made: &Made) -> Self {
        let tokens = made.tokens.as_ref().map(crate::render::Tokens::json);
        Self { engine, rendering: made.rendering.clone(), tokens }
    }
}
