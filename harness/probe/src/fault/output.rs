//! Frames that break on their way out.

use std::{
    io::{self, Write},
    thread,
    time::Duration,
};

use serde_json::{Value, json};
use wire::PROTOCOL;

use super::Fault;
use crate::os;

/// How late a late reply is: later than anybody waits who tests for it.
const LATE: Duration = Duration::from_secs(600);

/// The output of a broken probe: takes whole lines, and writes what the fault makes of them.
#[derive(Debug)]
pub struct FaultyOutput<W> {
    output: W,
    fault: Fault,
    line: Vec<u8>,
}

impl<W: Write> FaultyOutput<W> {
    /// `output` under `fault`.
    pub const fn new(output: W, fault: Fault) -> Self {
        Self { output, fault, line: Vec::new() }
    }

    fn send(&mut self, line: &[u8]) -> io::Result<()> {
        let is_reply = line.starts_with(b"{\"reply\"");
        match self.fault {
            Fault::WrongProtocol if !is_reply => {
                self.send_changed(line, |frame| frame["ready"]["protocol"] = json!(PROTOCOL + 1))
            }
            Fault::WrongId if is_reply => {
                let other = |id: &Value| json!(id.as_u64().unwrap_or_default() + 1000);
                self.send_changed(line, |frame| frame["reply"]["id"] = other(&frame["reply"]["id"]))
            }
            Fault::StdoutGarbage if is_reply => {
                self.output.write_all(b"ggml_backend_init: found device 0\n")?;
                self.output.write_all(line)
            }
            Fault::DuplicateReply if is_reply => {
                self.output.write_all(line)?;
                self.output.write_all(line)
            }
            Fault::HalfFrame if is_reply => {
                self.output.write_all(&line[..line.len() / 2])?;
                self.output.flush()?;
                os::exit_now(1)
            }
            Fault::SlowReply if is_reply => {
                thread::sleep(LATE);
                self.output.write_all(line)
            }
            _ => self.output.write_all(line),
        }
    }

    fn send_changed(&mut self, line: &[u8], change: impl FnOnce(&mut Value)) -> io::Result<()> {
        let mut frame: Value = serde_json::from_slice(line)?;
        change(&mut frame);
        let mut changed = serde_json::to_vec(&frame)?;
        changed.push(b'\n');
        self.output.write_all(&changed)
    }
}

impl<W: Write> Write for FaultyOutput<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        while let Some(end) = self.line.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.line.drain(..=end).collect();
            self.send(&line)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READY: &str = "{\"ready\":{\"protocol\":1}}\n";
    const REPLY: &str = "{\"reply\":{\"id\":7}}\n";

    fn check(fault: Fault, expected: &str) {
        let mut output = Vec::new();
        let mut faulty = FaultyOutput::new(&mut output, fault);
        for part in [&READY[..5], &READY[5..], REPLY] {
            faulty.write_all(part.as_bytes()).unwrap();
        }
        assert_eq!(String::from_utf8(output).unwrap(), expected, "{fault:?}");
    }

    #[test]
    fn frames_break_as_their_fault_says() {
        check(Fault::Abort, &format!("{READY}{REPLY}"));
        check(Fault::DuplicateReply, &format!("{READY}{REPLY}{REPLY}"));
        check(Fault::WrongId, &format!("{READY}{}", REPLY.replace('7', "1007")));
        check(Fault::StdoutGarbage, &format!("{READY}ggml_backend_init: found device 0\n{REPLY}"));
        check(Fault::WrongProtocol, &format!("{}{REPLY}", READY.replace('1', &(PROTOCOL + 1).to_string())));
    }
}
