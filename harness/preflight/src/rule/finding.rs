//! What a rule found.

use serde::Serialize;

use super::Code;
use crate::device::{Certainty, Limit};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// It works, and could be better or safer.
    Advice,
    /// It may fail, or the app may be ended: what is known does not decide it.
    Risk,
    /// It does not load, does not chat, or the app is ended.
    Fails,
}

/// What a rule found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Which rule.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is the case, with its numbers, in a sentence.
    pub message: String,
    /// What to do, the cheapest first.
    pub cures: Vec<String>,
    /// Bytes that are needed, where the rule is about bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs: Option<u64>,
    /// The limit, and what it rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}

impl Finding {
    pub(super) fn new(code: Code, severity: Severity, message: impl Into<String>) -> Self {
        Self { code, severity, message: message.into(), cures: Vec::new(), needs: None, limit: None }
    }

    pub(super) fn cure(mut self, cure: impl Into<String>) -> Self {
        self.cures.push(cure.into());
        self
    }

    pub(super) fn cures(mut self, cures: impl IntoIterator<Item = String>) -> Self {
        self.cures.extend(cures);
        self
    }

    pub(super) fn bytes(mut self, needs: u64, limit: &Limit) -> Self {
        self.needs = Some(needs);
        self.limit = Some(limit.clone());
        self
    }
}

/// How bad it is to need `needs` under a limit: a figure that is inferred decides nothing where it is close.
pub(super) const fn over(needs: u64, limit: &Limit) -> Option<Severity> {
    if needs <= limit.bytes {
        return None;
    }
    let close = needs < limit.bytes.saturating_add(limit.bytes / 10);
    match limit.certainty {
        Certainty::Inferred if close => Some(Severity::Risk),
        _ => Some(Severity::Fails),
    }
}
