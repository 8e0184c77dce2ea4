//! One program to start: which, with which arguments, in which environment.
//!
//! A command line is a value. Pure functions make it, golden tests read it, and only [`CommandLine::run`] and
//! [`CommandLine::capture`] start anything.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context as _, Result};

use crate::exit::Exit;
use crate::machine::Machine;

/// A program with its arguments and what is different in its environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CommandLine {
    program: String,
    args: Vec<String>,
    env: BTreeMap<String, String>,
    unset: BTreeSet<String>,
    folder: Option<PathBuf>,
}

impl CommandLine {
    /// `program` with `args`.
    pub(crate) fn new<S: Into<String>>(program: &str, args: impl IntoIterator<Item = S>) -> Self {
        Self {
            program: program.to_owned(),
            args: args.into_iter().map(Into::into).collect(),
            ..Self::default()
        }
    }

    /// With one more argument.
    pub(crate) fn arg(mut self, arg: impl Into<String>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// With more arguments.
    pub(crate) fn args<S: Into<String>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// With `key` set to `value`.
    pub(crate) fn env(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.env.insert(key.into(), value.into());
        self
    }

    /// Without `key`, whatever the machine's environment says.
    pub(crate) fn unset(mut self, key: impl Into<String>) -> Self {
        self.unset.insert(key.into());
        self
    }

    /// Started in `folder`.
    pub(crate) fn in_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// Program and arguments.
    pub(crate) fn argv(&self) -> Vec<String> {
        std::iter::once(self.program.clone()).chain(self.args.iter().cloned()).collect()
    }

    /// Runs it. What it prints goes to our standard error, so that our standard output stays ours.
    ///
    /// # Errors
    /// When the program is missing or cannot start. A failure of the program itself is in the status.
    pub(crate) fn run(&self, machine: &Machine) -> Result<ExitStatus> {
        let mut command = self.command(machine)?;
        command.stdin(Stdio::null()).stdout(std::io::stderr());
        command.status().with_context(|| format!("cannot start `{self}`"))
    }

    /// Like [`Self::run`]; a failure of the program is an error too, with `exit`.
    pub(crate) fn run_checked(&self, machine: &Machine, exit: Exit) -> Result<()> {
        let status = self.run(machine)?;
        if status.success() { Ok(()) } else { Err(exit.error(format!("`{self}` failed: {status}"))) }
    }

    /// Runs it and returns its standard output. Its standard error is shown only when it fails.
    ///
    /// # Errors
    /// When the program is missing, cannot start, or fails (with `exit`).
    pub(crate) fn capture(&self, machine: &Machine, exit: Exit) -> Result<String> {
        let mut command = self.command(machine)?;
        let output =
            command.stdin(Stdio::null()).output().with_context(|| format!("cannot start `{self}`"))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.trim();
        let colon = if said.is_empty() { "" } else { ": " };
        Err(exit.error(format!("`{self}` failed: {}{colon}{said}", output.status)))
    }

    /// The process to start, with `machine`'s environment and nothing else.
    ///
    /// # Errors
    /// When the program is not on PATH.
    pub(crate) fn command(&self, machine: &Machine) -> Result<Command> {
        let program = machine.find(&self.program).ok_or_else(|| {
            let program = &self.program;
            Exit::Missing.error(if program.contains('/') {
                format!("`{program}` is not there or cannot be run; look at its path and permissions")
            } else {
                format!("`{program}` is not on PATH; `cargo xtask doctor` says how to get it")
            })
        })?;
        let mut command = Command::new(program);
        command.args(&self.args).env_clear().envs(&machine.env).envs(&self.env);
        for key in &self.unset {
            command.env_remove(key);
        }
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        Ok(command)
    }
}

/// As one would type it: variables that are unset, variables that are set, program, arguments.
impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words: Vec<String> = Vec::new();
        if !self.unset.is_empty() {
            words.push("env".to_owned());
            words.extend(self.unset.iter().flat_map(|key| ["-u".to_owned(), key.clone()]));
        }
        words.extend(self.env.iter().map(|(key, value)| format!("{key}={}", quoted(value))));
        words.extend(self.argv().iter().map(|word| quoted(word)));
        f.write_str(&words.join(" "))
    }
}

/// `word` as a POSIX shell needs it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\x1f', " ").replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::FakeMachine;

    use super::*;

    #[test]
    fn shows_what_one_would_type() {
        let line = CommandLine::new("cargo", ["build", "a b"]).env("K", "it's").unset("GGML_CUDA");
        assert_eq!(line.to_string(), r"env -u GGML_CUDA K='it'\''s' cargo build 'a b'");
    }

    #[test]
    fn captures_output_and_environment() {
        let fake = FakeMachine::new("linux", "x86_64");
        fake.program("say", "echo \"$1 $KEY ${GONE-unset}\"");
        let mut machine = fake.machine();
        machine.env.insert("GONE".into(), "there".into());
        let line = CommandLine::new("say", ["hello"]).env("KEY", "value").unset("GONE");
        assert_eq!(line.capture(&machine, Exit::Broken).unwrap(), "hello value unset\n");
    }

    #[test]
    fn a_failure_carries_the_code_and_what_the_program_said() {
        let fake = FakeMachine::new("linux", "x86_64");
        fake.program("fail", "echo no luck >&2; exit 7");
        let error = CommandLine::new("fail", ["x"]).capture(&fake.machine(), Exit::Input).unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Input);
        assert_eq!(error.to_string(), "`fail x` failed: exit status: 7: no luck");
    }

    #[test]
    fn a_missing_program_is_its_own_exit_code() {
        let fake = FakeMachine::new("linux", "x86_64");
        let error = CommandLine::new("cmake", ["-v"]).run(&fake.machine()).unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Missing);
        assert!(error.to_string().starts_with("`cmake` is not on PATH"), "{error}");
        let error = CommandLine::new("/no/probe", ["card"]).run(&fake.machine()).unwrap_err();
        assert!(error.to_string().starts_with("`/no/probe` is not there or cannot be run"), "{error}");
    }
}
