//! What is known about one finding.

use serde::Serialize;
use wire::Layer;

use super::{Case, Signature, signatures};
use crate::case::Case as CaseFile;
use crate::closest::closest;
use crate::finding::{Code, entry};

/// A finding, and where to meet it.
#[derive(Debug, Serialize)]
pub struct CodeHelp<'a> {
    /// The finding.
    pub code: Code,
    /// In a few words.
    pub title: &'static str,
    /// Where it usually shows.
    pub layer: Layer,
    /// What it means.
    pub meaning: &'static str,
    /// What to do.
    pub cure: &'static str,
    /// The cases that show it on a sound subject, or reproduce a log line that points to it.
    pub cases: Vec<CaseHelp<'a>>,
    /// The log lines that point to it.
    pub signatures: Vec<SignatureHelp>,
}

/// A case that shows a finding.
#[derive(Debug, Serialize)]
pub struct CaseHelp<'a> {
    /// Its id.
    pub id: &'a str,
    /// What goes wrong for whom.
    pub why: &'a str,
    /// The command that runs it.
    pub command: String,
}

/// A signature that points to a finding.
#[derive(Debug, Serialize)]
pub struct SignatureHelp {
    /// Its id.
    pub id: &'static str,
    /// What it means; names in braces are filled in from a log.
    pub meaning: &'static str,
    /// Public reports and sources.
    pub links: &'static [String],
}

/// What is known about `code`; `cases` are all cases.
pub fn explain_code(code: Code, cases: &[CaseFile]) -> CodeHelp<'_> {
    let entry = entry(code);
    let pointing: Vec<&'static Signature> = signatures().iter().filter(|s| s.code == code).collect();
    let reproduces = |id: &str| pointing.iter().any(|s| matches!(&s.case, Case::Run(case) if case == id));
    let shows = |case: &&CaseFile| case.expects.contains(&code) || reproduces(&case.id);
    CodeHelp {
        code,
        title: &entry.title,
        layer: entry.layer,
        meaning: &entry.meaning,
        cure: &entry.cure,
        cases: cases.iter().filter(shows).map(CaseHelp::new).collect(),
        signatures: pointing.into_iter().map(SignatureHelp::new).collect(),
    }
}

impl<'a> CaseHelp<'a> {
    fn new(case: &'a CaseFile) -> Self {
        Self { id: &case.id, why: &case.why, command: format!("cargo xtask test --filter {}", case.id) }
    }
}

impl SignatureHelp {
    fn new(signature: &'static Signature) -> Self {
        Self { id: &signature.id, meaning: &signature.meaning, links: &signature.links }
    }
}

/// The code whose name is most like `name`, if any is like it at all.
pub fn nearest_code(name: &str) -> Option<Code> {
    let nearest = closest(name, Code::ALL.iter().map(|code| entry(*code).name))?;
    Code::ALL.iter().copied().find(|code| entry(*code).name == nearest)
}
