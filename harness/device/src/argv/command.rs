//! One command line.

use std::fmt;
use std::time::Duration;

/// A program with its arguments, what is added to its environment, and how long it may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argv {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// What is set besides, in order.
    pub env: Vec<(String, String)>,
    /// After this long it is ended: copies over Wi-Fi can hang for ever.
    pub limit: Duration,
}

impl Argv {
    /// `program` with `args`, for at most `minutes`.
    pub fn new<S: Into<String>>(program: &str, args: impl IntoIterator<Item = S>, minutes: u64) -> Self {
        Self {
            program: program.to_owned(),
            args: args.into_iter().map(Into::into).collect(),
            env: Vec::new(),
            limit: Duration::from_secs(60 * minutes),
        }
    }

    /// `xcrun TOOL …`
    pub(super) fn xcrun<'a>(args: impl IntoIterator<Item = &'a str>, minutes: u64) -> Self {
        Self::new("xcrun", args, minutes)
    }

    /// With `key` set to `value`.
    #[must_use]
    pub fn with_env(mut self, key: &str, value: impl Into<String>) -> Self {
        self.env.push((key.to_owned(), value.into()));
        self
    }

    /// With one more argument.
    #[must_use]
    pub fn with(mut self, arg: impl Into<String>) -> Self {
        self.args.push(arg.into());
        self
    }
}

impl fmt::Display for Argv {
    /// As one would type it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let env = self.env.iter().map(|(key, value)| format!("{key}={}", quoted(value)));
        let words = env.chain([self.program.clone()]).chain(self.args.iter().map(|arg| quoted(arg)));
        f.write_str(&words.collect::<Vec<_>>().join(" "))
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
