//! The DevTools protocol over a pipe: JSON, each message ended by a zero byte.
//!
//! <https://chromedevtools.github.io/devtools-protocol/>, and `--remote-debugging-pipe`: the browser reads messages
//! from file descriptor 3 and writes them to 4.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::BrowserError;

/// Both directions.
pub(crate) struct Wire {
    to: File,
    from: BufReader<File>,
}

/// How the browser is started: quiet, alone, and with nothing to fetch.
const FLAGS: &[&str] = &[
    "--headless",
    "--remote-debugging-pipe",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
];

impl Wire {
    /// Starts `program` with its profile and its pipes in `folder`.
    pub(crate) fn start(program: &Path, folder: &Path) -> Result<(Child, Self), BrowserError> {
        let (to, from) = (folder.join("to"), folder.join("from"));
        let made = Command::new("mkfifo").args([&to, &from]).status()?;
        if !made.success() {
            return Err(io::Error::other("mkfifo made no pipes").into());
        }
        // A shell, since only it can say which descriptors its child has. It opens the pipes in this order, and each
        // opening waits for the other end.
        let child = Command::new("sh")
            .args(["-c", r#"to=$1 from=$2; shift 2; exec "$@" 3<"$to" 4>"$from""#, "sh"])
            .args([&to, &from])
            .arg(program)
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", folder.join("profile").display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let to = OpenOptions::new().write(true).open(to)?;
        let from = BufReader::new(File::open(from)?);
        Ok((child, Self { to, from }))
    }

    pub(crate) fn send(&mut self, message: &Value) -> Result<(), BrowserError> {
        let mut text = message.to_string().into_bytes();
        text.push(0);
        Ok(self.to.write_all(&text)?)
    }

    pub(crate) fn receive(&mut self) -> Result<Value, BrowserError> {
        let mut text = Vec::new();
        self.from.read_until(0, &mut text)?;
        if text.pop() != Some(0) {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it ended").into());
        }
        Ok(serde_json::from_slice(&text)?)
    }
}
