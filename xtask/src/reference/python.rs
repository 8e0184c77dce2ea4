//! The Python process.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;
use std::thread;

use anyhow::{Context as _, Result};
use rendering::Rendering;

use crate::command_line::CommandLine;
use crate::exit::Exit;
use crate::machine::Machine;
use crate::setup::transformers_folder;

/// What it runs.
const SCRIPT: &str = include_str!("reference.py");

/// The moment at which it renders, as everything else does: `prompt::FROZEN_NOW`.
const NOW: &str = "2024-07-26T12:00:00";

/// transformers' `render_jinja_template`.
pub(crate) struct Reference {
    line: CommandLine,
}

impl Reference {
    /// The reference that setup has installed.
    ///
    /// # Errors
    /// When there is no folder that it could be in.
    pub(crate) fn new(machine: &Machine) -> Result<Self> {
        let folder = transformers_folder(machine)?.display().to_string();
        let line = CommandLine::new("python3", ["-c", SCRIPT, NOW]);
        Ok(Self { line: line.env("PYTHONPATH", folder).env("TRANSFORMERS_VERBOSITY", "error") })
    }

    /// Renders every line, `{"template": …, "messages": …}`; the answers in order.
    ///
    /// # Errors
    /// When Python cannot be started or stops before the last line.
    pub(crate) fn render(&self, lines: &[String], machine: &Machine) -> Result<Vec<Rendering>> {
        let mut command = self.line.command(machine)?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut python = command.spawn().context("cannot start python3")?;
        let (input, output) = (python.stdin.take(), python.stdout.take());
        let (mut input, output) =
            (input.context("no standard input")?, output.context("no standard output")?);
        let answers = thread::scope(|scope| {
            scope.spawn(move || lines.iter().try_for_each(|line| writeln!(input, "{line}")));
            let answers = BufReader::new(output).lines();
            answers
                .map(|line| {
                    serde_json::from_str(&line?).context("the reference gave an answer that is no JSON")
                })
                .collect::<Result<Vec<Rendering>>>()
        });
        let ended = python.wait_with_output().context("cannot wait for python3")?;
        let answers = answers?;
        if answers.len() == lines.len() && ended.status.success() {
            return Ok(answers);
        }
        let said = String::from_utf8_lossy(&ended.stderr);
        let last = said.trim().lines().last().unwrap_or_default();
        let count = answers.len();
        Err(Exit::Broken
            .error(format!("the reference stopped after {count} of {} answers: {last}", lines.len())))
    }
}

#[cfg(test)]
mod tests {
    use rendering::ErrorClass;

    use super::*;
    use crate::testing::FakeMachine;

    #[test]
    fn answers_come_in_order_and_a_stop_is_told() {
        let fake = FakeMachine::new("linux", "x86_64");
        fake.program(
            "python3",
            "while read -r line; do case $line in stop) echo 'ImportError: no luck' >&2; exit 1;; bad*) echo '{\"error\": {\"class\": \"raised\", \"message\": \"m\"}}';; *) echo \"{\\\"prompt\\\": \\\"$line\\\"}\";; esac; done",
        );
        let machine = fake.machine();
        let reference = Reference::new(&machine).unwrap();
        let lines = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        let answers = reference.render(&lines(&["a", "bad", "c"]), &machine).unwrap();
        assert_eq!(answers[0], Rendering::Prompt("a".to_owned()));
        assert_eq!(answers[1], Rendering::error(ErrorClass::Raised, "m"));
        let error = reference.render(&lines(&["a", "stop", "c"]), &machine).unwrap_err();
        assert_eq!(error.to_string(), "the reference stopped after 1 of 3 answers: ImportError: no luck");
    }
}
