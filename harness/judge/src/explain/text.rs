//! Explanations for people.

use std::fmt;

use super::{Case, CodeHelp, Explained, LogReport, Role};
use crate::report::plural;

/// Links that are shown; JSON has them all.
const SHOWN_LINKS: usize = 3;

impl fmt::Display for LogReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.lines == 0 {
            return writeln!(f, "the log is empty");
        }
        let lines = plural(usize::try_from(self.lines).unwrap_or(usize::MAX), "line");
        if self.findings.is_empty() {
            writeln!(f, "nothing recognised in {lines}: looked for {} known symptoms", self.signatures)?;
        } else {
            writeln!(f, "{} in {lines}", plural(self.findings.len(), "finding"))?;
        }
        for finding in &self.findings {
            write!(f, "\n{finding}")?;
        }
        if self.cut_lines > 0 {
            let kib = super::LINE_BYTES / 1024;
            let cut = plural(usize::try_from(self.cut_lines).unwrap_or(usize::MAX), "line");
            writeln!(f, "\nof {cut} only the first {kib} KiB were looked at")?;
        }
        Ok(())
    }
}

impl fmt::Display for Explained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { title, code, .. } = self;
        writeln!(f, "{}: {title} [{code}, {}]", self.role.name(), self.layer.name())?;
        let more = if self.count > 1 { format!(", first of {}", self.count) } else { String::new() };
        writeln!(f, "  line {}{more}: {}", self.line, self.text)?;
        writeln!(f, "  meaning: {}", self.meaning)?;
        if self.role == Role::Consequence {
            return Ok(());
        }
        writeln!(f, "  cure:    {}", self.cure)?;
        match (self.case, &self.command) {
            (Case::Run(_), Some(command)) => writeln!(f, "  case:    {command}")?,
            (Case::None(reason), _) | (Case::Run(reason), None) => writeln!(f, "  case:    none: {reason}")?,
        }
        for link in self.links.iter().take(SHOWN_LINKS) {
            writeln!(f, "  see:     {link}")?;
        }
        Ok(())
    }
}

impl fmt::Display for CodeHelp<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, title, meaning, cure, .. } = self;
        writeln!(f, "{code}: {title}")?;
        writeln!(f, "  layer:   {}\n  meaning: {meaning}\n  cure:    {cure}", self.layer.name())?;
        if !self.cases.is_empty() {
            writeln!(f, "\ncases that show it:")?;
        }
        for case in &self.cases {
            writeln!(f, "  {}: {}\n    {}", case.id, case.why, case.command)?;
        }
        if !self.signatures.is_empty() {
            writeln!(f, "\nlog lines that point to it:")?;
        }
        for signature in &self.signatures {
            writeln!(f, "  {}: {}", signature.id, signature.meaning)?;
        }
        Ok(())
    }
}
