//! What xtask said and how it ended.

use std::process::Output;

/// How a run of xtask ended.
#[derive(Debug)]
pub(crate) struct Answer {
    /// Its exit code; −1 where a signal ended it.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
}

impl From<Output> for Answer {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("xtask writes UTF-8");
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

impl Answer {
    /// Asserts the exit code and that there is one error, which says all of `parts`, and the first of them once.
    #[track_caller]
    pub(crate) fn assert_error(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, code, "{self:#?}");
        assert_eq!(self.stderr.matches("error: ").count(), 1, "{self:#?}");
        assert!(parts.first().is_none_or(|part| self.stderr.matches(part).count() == 1), "{self:#?}");
        for part in parts {
            assert!(self.stderr.contains(part), "{part:?} is not said: {self:#?}");
        }
    }
}
