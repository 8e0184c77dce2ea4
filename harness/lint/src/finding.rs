//! What was found.

use serde::{Serialize, Serializer, ser::SerializeMap as _};

use crate::{Entry, LintCode, Severity, entry};

/// Something that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub code: LintCode,
    /// What was seen.
    pub message: String,
    /// The line of the template, counted from 1, where it is one line's.
    pub line: Option<usize>,
    /// The token, where it is one's.
    pub token: Option<u32>,
}

impl Finding {
    /// Something that is no line's and no token's.
    pub(crate) fn new(code: LintCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), line: None, token: None }
    }

    /// At a line of the template; 0 stands for none.
    pub(crate) fn at_line(mut self, line: usize) -> Self {
        self.line = (line > 0).then_some(line);
        self
    }

    /// Of a token.
    pub(crate) fn of_token(mut self, token: usize) -> Self {
        self.token = u32::try_from(token).ok();
        self
    }

    /// How bad it is, what it means and what to do.
    pub fn entry(&self) -> &'static Entry {
        entry(self.code)
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.entry().severity
    }
}

impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let entry = self.entry();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", &self.code)?;
        map.serialize_entry("severity", &entry.severity)?;
        map.serialize_entry("message", &self.message)?;
        if let Some(line) = self.line {
            map.serialize_entry("line", &line)?;
        }
        if let Some(token) = self.token {
            map.serialize_entry("token", &token)?;
        }
        map.serialize_entry("meaning", &entry.meaning)?;
        map.serialize_entry("cure", &entry.cure)?;
        map.serialize_entry("links", &entry.links)?;
        map.end()
    }
}

/// All that was found, and what could not be asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LintReport {
    /// The file that was read.
    pub subject: String,
    /// The worst first.
    pub findings: Vec<Finding>,
    /// Codes that nothing could be said of, and why.
    pub not_asked: Vec<NotAsked>,
}

/// Codes that nothing could be said of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotAsked {
    /// Which.
    pub codes: Vec<LintCode>,
    /// Why, and what would help.
    pub why: String,
}

impl LintReport {
    /// How many findings are as bad as that.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity() == severity).count()
    }
}
