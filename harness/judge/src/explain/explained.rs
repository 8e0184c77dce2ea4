//! What a log showed.

use serde::Serialize;
use wire::Layer;

use super::{Case, Severity, Signature};
use crate::finding::{Code, entry};

/// Version of the JSON form; it changes whenever an older reader would misread a newer report.
const VERSION: u32 = 1;

/// A log, explained.
#[derive(Debug, Serialize)]
pub struct LogReport {
    /// Version of this form.
    pub version: u32,
    /// Lines read.
    pub lines: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Lines of which only the first [`super::LINE_BYTES`] bytes were looked at.
    pub cut_lines: u64,
    /// How many signatures were looked for.
    pub signatures: usize,
    /// What was found: the cause to look at first, then the others.
    pub findings: Vec<Explained>,
}

/// One thing that a log showed.
#[derive(Debug, Serialize)]
pub struct Explained {
    /// The signature's id.
    pub signature: &'static str,
    /// The finding.
    pub code: Code,
    /// The finding in a few words.
    pub title: &'static str,
    /// Where it shows.
    pub layer: Layer,
    /// How bad it is.
    pub severity: Severity,
    /// What part it plays beside the others.
    pub role: Role,
    /// The first line that showed it, from 1.
    pub line: u64,
    /// How many lines showed it.
    pub count: u64,
    /// That first line, cleaned and shortened.
    pub text: String,
    /// What it means, with the log's own numbers.
    pub meaning: String,
    /// What to do.
    pub cure: &'static str,
    /// The case that reproduces it, or why there is none.
    pub case: &'static Case,
    /// The command that runs that case.
    pub command: Option<String>,
    /// Public reports and sources.
    pub links: &'static [String],
    /// The signature only says that something failed.
    #[serde(skip)]
    pub(super) general: bool,
}

/// What part a finding plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// To look at first.
    Cause,
    /// Found beside it.
    Also,
    /// Follows from an earlier line.
    Consequence,
    /// Worth knowing, and wrong by itself.
    Notice,
}

impl Role {
    /// The word in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cause => "cause",
            Self::Also => "also",
            Self::Consequence => "consequence",
            Self::Notice => "notice",
        }
    }
}

impl LogReport {
    /// A report on `findings`, in order of blame.
    pub(super) fn new(lines: u64, bytes: u64, cut_lines: u64, mut findings: Vec<Explained>) -> Self {
        assign_roles(&mut findings);
        findings.sort_by_key(|finding| (finding.role, finding.severity, finding.layer, finding.line));
        Self { version: VERSION, lines, bytes, cut_lines, signatures: super::signatures().len(), findings }
    }
}

impl Explained {
    /// `signature`, shown first by line number `line`.
    pub(super) fn new(signature: &'static Signature, line: u64, text: String, meaning: String) -> Self {
        Self {
            signature: &signature.id,
            code: signature.code,
            title: &entry(signature.code).title,
            layer: signature.layer(),
            severity: signature.severity,
            role: Role::Also,
            line,
            count: 1,
            text,
            meaning,
            cure: signature.cure(),
            case: &signature.case,
            command: command(&signature.case),
            links: &signature.links,
            general: signature.general,
        }
    }

    /// Whether `self` says only that something failed for which `reason` is the reason: an earlier line, at the same
    /// layer or one before.
    fn follows(&self, reason: &Self) -> bool {
        let reason_given = !reason.general && reason.severity == Severity::Error;
        self.general && reason_given && reason.line <= self.line && reason.layer <= self.layer
    }
}

/// The command that runs `case`.
pub(super) fn command(case: &Case) -> Option<String> {
    match case {
        Case::Run(id) => Some(format!("cargo xtask test --filter {id}")),
        Case::None(_) => None,
    }
}

/// As [`crate::triage`] does: the first layer among the worst is the cause.
fn assign_roles(findings: &mut [Explained]) {
    let roles: Vec<Role> = findings
        .iter()
        .map(|finding| match finding.severity {
            Severity::Notice => Role::Notice,
            _ if findings.iter().any(|reason| finding.follows(reason)) => Role::Consequence,
            _ => Role::Also,
        })
        .collect();
    for (finding, role) in findings.iter_mut().zip(roles) {
        finding.role = role;
    }
    let candidates = findings.iter_mut().filter(|finding| finding.role == Role::Also);
    if let Some(cause) =
        candidates.min_by_key(|finding| (finding.severity, finding.layer, finding.general, finding.line))
    {
        cause.role = Role::Cause;
    }
}
