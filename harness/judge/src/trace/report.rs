//! What a trace found.

use serde::{Deserialize, Serialize};
use wire::TensorName;

use super::{Divergence, Given, Suspect};

/// What a trace found, for programs; its `Display` is for people.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceReport {
    /// The version of this report. It changes whenever an older reader would misread a newer report.
    pub version: u32,
    /// The case.
    pub case: String,
    /// The model.
    pub model: String,
    /// The subject that is traced.
    pub subject: String,
    /// The fault that is switched on in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The subject that it is compared with.
    pub reference: String,
    /// What was found.
    pub outcome: TraceOutcome,
    /// Where the logits differ, or come nearest to it.
    pub divergence: Option<Divergence>,
    /// The call that was walked, from 0: the divergence's, or an earlier one that wrote what it read.
    pub call: u32,
    /// The node to blame.
    pub suspect: Option<Suspect>,
    /// What was different before the call, the worst first; at most ten.
    pub given: Vec<Given>,
    /// Nodes that were compared.
    pub compared: usize,
    /// The largest error of any of them; null where it is not finite.
    pub worst_nmse: Option<f64>,
    /// The largest part that any node's error is of what is explained there: 1 and less is no news.
    pub nearest: Option<f64>,
    /// Nodes that only the subject's graph has.
    pub only_ours: Vec<TensorName>,
    /// Nodes that only the reference's graph has.
    pub only_reference: Vec<TensorName>,
    /// What to switch off in the app, where the divergence vanishes.
    pub switches: Vec<String>,
}

impl TraceReport {
    /// The version of this report.
    pub const VERSION: u32 = 1;
}

/// What a trace found, for a report of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traced {
    /// What kind of thing was found.
    pub outcome: TraceOutcome,
    /// What was found, in a sentence.
    pub sentence: String,
    /// All that `cargo xtask trace` prints.
    pub text: String,
}

impl From<&TraceReport> for Traced {
    fn from(report: &TraceReport) -> Self {
        Self { outcome: report.outcome, sentence: report.summary(), text: report.to_string() }
    }
}

/// What a trace found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TraceOutcome {
    /// The logits agree, and no node is wrong.
    Agrees,
    /// The logits agree within the tolerance, but a node is wrong all the same.
    WrongWithoutEffect,
    /// The first node that is wrong beyond what its inputs explain.
    Node,
    /// No node is wrong by itself: the error grows, most at the node named.
    Growth,
    /// The divergence is gone when the nodes are computed one by one.
    Vanished,
    /// Every node agrees, and the logits that were read do not.
    BehindTheGraph,
    /// The nodes are right; what the call was given is not the reference's.
    Given,
    /// The prompts or tokens differ: the graphs answer different questions.
    BeforeTheGraph,
    /// The graphs are not the same, and where they can be compared nothing is wrong.
    GraphsDiffer,
}

impl TraceOutcome {
    /// Whether all is as it should be.
    pub const fn is_fine(self) -> bool {
        matches!(self, Self::Agrees)
    }
}
