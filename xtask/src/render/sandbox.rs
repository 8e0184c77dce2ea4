//! The minijinja engine in a process of its own, which a template can take down and nothing else with it.

use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};
use rendering::{Conversation, ErrorClass, Rendering};
use serde_json::Value;

use super::child::{Answer, Header, MEMORY};

/// Answers that wait to be taken.
const WAITING: usize = 64;

/// Renders in a child, which is started when it is needed, and anew when it has died.
pub(crate) struct Sandbox {
    program: PathBuf,
    header: Header,
    deadline: Duration,
    running: Option<Running>,
}

/// A child that answers.
struct Running {
    process: Child,
    input: Option<ChildStdin>,
    answers: Receiver<String>,
}

impl Sandbox {
    /// A sandbox whose one rendering may take `deadline`. `template` is for lines that name none, `defaults` are variables
    /// of conversations that do not set them.
    ///
    /// # Errors
    /// When this program cannot tell where it lies.
    pub(crate) fn new(template: Option<&str>, defaults: &[(&str, &str)], deadline: Duration) -> Result<Self> {
        let program = crate::itself::program()?;
        let defaults =
            defaults.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let header = Header { template: template.map(str::to_owned), defaults };
        Ok(Self { program, header, deadline, running: None })
    }

    /// Renders `template`, or the one that was given at the beginning.
    ///
    /// # Errors
    /// When the child cannot be started or talks nonsense. What a template does to it is the rendering.
    pub(crate) fn render(
        &mut self,
        template: Option<&str>,
        conversation: &Conversation,
    ) -> Result<Rendering> {
        let mut line = conversation.variables().clone();
        line.extend(template.map(|template| ("template".to_owned(), Value::from(template))));
        let mut answers = Vec::new();
        self.answer(&[Value::Object(line).to_string()], &mut |answer| {
            answers.push(answer);
            Ok(())
        })?;
        let answer = answers.pop().context("the process that renders gave no answer")?;
        let answer: Answer = serde_json::from_str(&answer)
            .context("the process that renders gave an answer that is no JSON")?;
        Ok(answer.rendering)
    }

    /// Answers every line in order, and hands each answer to `take` as soon as it is there.
    ///
    /// # Errors
    /// When the child cannot be started, or `take` fails.
    pub(crate) fn answer(
        &mut self,
        lines: &[String],
        take: &mut dyn FnMut(String) -> Result<()>,
    ) -> Result<()> {
        let mut left = lines;
        while !left.is_empty() {
            let mut running = self.running.take().map_or_else(|| self.start(), Ok)?;
            let done = running.answer(left, self.deadline, take)?;
            if done < left.len() {
                let rendering = running.last_words(self.deadline);
                let id =
                    serde_json::from_str::<Value>(&left[done]).ok().and_then(|line| line.get("id").cloned());
                take(serde_json::to_string(&Answer { id, rendering })?)?;
                left = &left[done + 1..];
            } else {
                self.running = Some(running);
                left = &[];
            }
        }
        Ok(())
    }

    fn start(&self) -> Result<Running> {
        let mut command = Command::new(&self.program);
        command.arg("render-child").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().context("cannot start the process that renders")?;
        let (input, output) = (process.stdin.take(), process.stdout.take());
        let mut input = input.context("the process that renders has no standard input")?;
        let output = output.context("the process that renders has no standard output")?;
        let header = serde_json::to_string(&self.header)?;
        // It may be dead already: then there will be no answer, and that is told.
        let _ = writeln!(input, "{header}");
        let (sender, answers) = sync_channel(WAITING);
        thread::Builder::new().name("answers".to_owned()).spawn(move || {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            lines.map(|line| sender.send(line)).take_while(Result::is_ok).for_each(drop);
        })?;
        Ok(Running { process, input: Some(input), answers })
    }
}

impl Running {
    /// Answers `lines`; how many, before it died or hung.
    fn answer(
        &mut self,
        lines: &[String],
        deadline: Duration,
        take: &mut dyn FnMut(String) -> Result<()>,
    ) -> Result<usize> {
        let Some(input) = self.input.take() else { return Ok(0) };
        thread::scope(|scope| {
            let writer = scope.spawn(move || {
                let mut input = BufWriter::new(input);
                let written = lines.iter().try_for_each(|line| writeln!(input, "{}", line.trim_end()));
                written.ok().and_then(|()| input.into_inner().ok())
            });
            let mut done = 0;
            while done < lines.len() {
                match self.answers.recv_timeout(deadline) {
                    Ok(answer) => take(answer).inspect_err(|_| self.end())?,
                    Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                        self.end();
                        break;
                    }
                }
                done += 1;
            }
            self.input = writer.join().ok().flatten();
            Ok(done)
        })
    }

    /// Kills it where it still runs, which also ends whoever writes to it.
    fn end(&mut self) {
        let _ =
            self.process.try_wait().map(|status| if status.is_none() { self.process.kill() } else { Ok(()) });
    }

    /// What became of a rendering that has no answer. A process that is killed here was at it for too long.
    fn last_words(&mut self, deadline: Duration) -> Rendering {
        let status = self.process.wait().ok();
        let what = match status.and_then(|status| status.signal()) {
            Some(9) => format!("did not end within {} s", deadline.as_secs()),
            _ => format!("needs more than {} MiB of memory, or nests too deep", MEMORY >> 20),
        };
        let message = format!(
            "the template {what}; look for a loop that repeats itself or a value that doubles, or take another template"
        );
        Rendering::error(ErrorClass::Limit, message)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.input = None;
        self.end();
        let _ = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::FakeMachine;

    /// A sandbox whose child does `script` with each line.
    fn sandbox(fake: &FakeMachine, script: &str, deadline: Duration) -> Sandbox {
        let program = fake.logged("child", &format!("read -r header; while read -r line; do {script}; done"));
        Sandbox { program, ..Sandbox::new(Some("t"), &[("bos_token", "<s>")], deadline).unwrap() }
    }

    fn answers(sandbox: &mut Sandbox, lines: &[&str]) -> Vec<String> {
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        let mut answers = Vec::new();
        sandbox
            .answer(&lines, &mut |answer| {
                answers.push(answer);
                Ok(())
            })
            .unwrap();
        answers
    }

    const SAYS: &str = "case $line in *die*) kill -6 $$;; *) echo \"said $line\";; esac";

    #[test]
    fn what_takes_the_child_down_costs_its_own_line() {
        let fake = FakeMachine::new("linux", "x86_64");
        let mut sandbox = sandbox(&fake, SAYS, Duration::from_secs(30));
        let said = answers(&mut sandbox, &["a", r#"{"id": 3, "die": 1}"#, "b", "c"]);
        assert_eq!(
            (said[0].as_str(), &said[2..]),
            ("said a", &["said b".to_owned(), "said c".to_owned()][..])
        );
        assert!(
            said[1]
                .starts_with(r#"{"id":3,"error":{"class":"limit","message":"the template needs more than"#),
            "{}",
            said[1]
        );
        assert_eq!(answers(&mut sandbox, &["d"]), ["said d"]);
        assert_eq!(fake.log().matches("child render-child").count(), 2);
    }

    #[test]
    fn what_hangs_is_killed_at_the_deadline() {
        let fake = FakeMachine::new("linux", "x86_64");
        let script = "case $line in *hang*) exec tail -f /dev/null;; *) echo \"said $line\";; esac";
        let mut sandbox = sandbox(&fake, script, Duration::from_secs(1));
        let said = answers(&mut sandbox, &["hang", "b"]);
        assert!(said[0].contains("the template did not end within 1 s"), "{}", said[0]);
        assert_eq!(said[1], "said b");
    }
}
