//! Many renderings, an answer a line.

use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::exit::Exit;
use crate::render::{Sandbox, Source, read_text};

/// Renders every line of the file at `path` with the minijinja engine. What is wrong with a line is its answer.
pub(super) fn run(path: &Path, source: Option<&Source>, deadline: Duration) -> Result<Exit> {
    let text = read_text(path, "a JSON object a line")?;
    let lines: Vec<String> = text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
    let template = source.map(|source| source.template.as_str());
    let defaults = source.map(Source::defaults);
    let defaults = defaults.as_ref().map_or(&[][..], |defaults| &defaults[..]);
    let mut sandbox = Sandbox::new(template, defaults, deadline)?;
    let mut out = BufWriter::new(io::stdout().lock());
    sandbox
        .answer(&lines, &mut |answer| writeln!(out, "{answer}").context("cannot write to standard output"))?;
    out.flush().context("cannot write to standard output")?;
    Ok(Exit::Fine)
}
