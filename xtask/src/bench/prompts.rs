//! Prompts a second: this program's batches beside Python's Jinja2, one after the other on the same machine.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use crate::command_line::CommandLine;
use crate::exit::Exit;
use crate::machine::Machine;
use crate::render::Sandbox;
use crate::setup::transformers_folder;
use crate::table::Table;

/// What Python runs. It measures rendering alone: neither its start nor reading and writing JSON.
const SCRIPT: &str = include_str!("prompts.py");

/// What each is measured on: the template that costs most among the common ones, and one that costs little.
const TEMPLATES: [&str; 2] = ["google-gemma-4-31B-it", "meta-llama-Llama-3.2-3B-Instruct"];

/// Prompts in a batch.
const COUNT: usize = 5000;

/// Prompts a second of one template.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Speed {
    template: String,
    /// `render --batch`, the process, its pipes and JSON included.
    batch: f64,
    /// Jinja2, rendering alone.
    jinja2: f64,
}

#[derive(Debug, Deserialize)]
struct Python {
    seconds: f64,
}

impl Speed {
    fn ratio(&self) -> f64 {
        self.batch / self.jinja2
    }
}

/// Measures both on each template of the corpus in `folder`, after a batch that warms up.
///
/// # Errors
/// When the corpus or Python is not there.
pub(crate) fn measure(folder: &Path, machine: &Machine) -> Result<Vec<Speed>> {
    let speed = |name: &&str| {
        let template = folder.join("templates").join(format!("{name}.jinja"));
        if !template.is_file() {
            return Err(Exit::Input.error("the corpus is not here yet; run `cargo xtask corpus fetch`"));
        }
        let lines = lines(&template);
        let mut sandbox = Sandbox::new(None, &[], Duration::from_secs(60))?;
        batch(&mut sandbox, &lines[..COUNT / 10])?;
        let ours = batch(&mut sandbox, &lines)?;
        let theirs = python(&template, machine)?;
        let per_second = |seconds: f64| COUNT as f64 / seconds;
        Ok(Speed { template: (*name).to_owned(), batch: per_second(ours), jinja2: per_second(theirs) })
    };
    TEMPLATES.iter().map(speed).collect()
}

/// A batch: a short chat with a system message, its number in it.
fn lines(template: &Path) -> Vec<String> {
    let line = |index: usize| {
        serde_json::json!({
            "template_file": template,
            "bos_token": "<s>",
            "messages": [
                {"role": "system", "content": "You are a helpful assistant."},
                {"role": "user", "content": format!("Question {index}: what is the capital of France?")},
                {"role": "assistant", "content": "Paris."},
                {"role": "user", "content": "And of Italy?"},
            ],
        })
        .to_string()
    };
    (0..COUNT).map(line).collect()
}

fn batch(sandbox: &mut Sandbox, lines: &[String]) -> Result<f64> {
    let start = Instant::now();
    sandbox.answer(lines, &mut |answer| {
        anyhow::ensure!(answer.starts_with("{\"prompt\":"), "no prompt, but {answer}");
        Ok(())
    })?;
    Ok(start.elapsed().as_secs_f64())
}

fn python(template: &Path, machine: &Machine) -> Result<f64> {
    let line =
        CommandLine::new("python3", ["-c", SCRIPT, &template.display().to_string(), &COUNT.to_string()])
            .env("PYTHONPATH", transformers_folder(machine)?.display().to_string())
            .env("TRANSFORMERS_VERBOSITY", "error");
    let said = line.capture(machine, Exit::Missing)?;
    let python: Python = serde_json::from_str(said.trim()).context("Python gave no figure")?;
    Ok(python.seconds)
}

/// For people.
pub(crate) fn table(speeds: &[Speed]) -> Table {
    let mut table = Table::new(&["template", "render --batch", "Jinja2 in Python", "times as fast"]);
    for speed in speeds {
        let rate = |rate: f64| format!("{rate:.0} prompts/s");
        let ratio = format!("{:.1}", speed.ratio());
        table.row([speed.template.clone(), rate(speed.batch), rate(speed.jinja2), ratio]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_stand_side_by_side() {
        let speeds = [Speed { template: "t".to_owned(), batch: 30_000.4, jinja2: 10_000.0 }];
        let shown = table(&speeds).to_string();
        assert!(shown.ends_with("t         30000 prompts/s  10000 prompts/s   3.0\n"), "{shown}");
        assert_eq!(lines(Path::new("t.jinja")).len(), COUNT);
    }
}
