//! From a model, a device and an app to a report.

use gguf::memory::{MemoryError, ModelFiles};
use serde::Serialize;

use super::facts::{ContextFacts, ModelFacts};
use super::{Check, Conversation, Streaming};
use crate::device::Device;
use crate::entitlements::Rights;
use crate::rule::{Situation, findings};
use crate::{Code, Compute, Finding, Need, Options, Severity};

/// What is said of a model on a device.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The version of this form: 1.
    pub version: u32,
    /// In a word.
    pub outcome: Outcome,
    /// The finding that decides it, where one does: the limit that is met first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bites_first: Option<Code>,
    /// How much of the tightest limit is left, 0 to 1; below 0 where it is exceeded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// The model.
    pub model: ModelFacts,
    /// The device's name.
    pub device: String,
    /// Its identifiers.
    pub identifiers: Vec<String>,
    /// Its memory in GB.
    pub ram: u64,
    /// The context.
    pub context: ContextFacts,
    /// The limits, in the order in which they are met.
    pub checks: Vec<Check>,
    /// What was found, the worst first.
    pub findings: Vec<Finding>,
    /// The app's entitlements.
    pub entitlements: Rights,
    /// Experts, where there are some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub streaming: Option<Streaming>,
    /// A conversation, where its turns' length was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversation: Option<Conversation>,
}

/// Will it load and chat?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// By all that is known.
    Loads,
    /// What is known does not decide it.
    May,
    /// No.
    Fails,
}

impl Report {
    /// Looks at everything. `compute` is the size of the compute buffer, where llama.cpp itself said it.
    ///
    /// # Errors
    /// Where the file's sizes make no sense, or its memory belongs to another model's context.
    pub fn of(
        name: &str,
        model: &ModelFiles,
        device: &Device,
        rights: &Rights,
        options: &Options,
        compute: Option<u64>,
    ) -> Result<Self, MemoryError> {
        let mut need = Need::of(model, device, options)?;
        if let Some(bytes) = compute {
            need.compute = Compute { bytes, measured: true };
        }
        let at = Situation { need: &need, device, rights, options };
        let findings = findings(&at);
        let checks = checks(&at, &findings);
        let worst = findings.first().filter(|finding| finding.severity >= Severity::Risk);
        Ok(Self {
            version: 1,
            outcome: match worst.map(|finding| finding.severity) {
                Some(Severity::Fails) => Outcome::Fails,
                Some(_) => Outcome::May,
                None => Outcome::Loads,
            },
            bites_first: worst.map(|finding| finding.code),
            margin: checks.iter().filter_map(Check::margin).min_by(f64::total_cmp),
            model: ModelFacts::of(name, &need),
            device: device.name.clone(),
            identifiers: device.identifiers.clone(),
            ram: device.ram,
            context: ContextFacts::of(&at),
            streaming: Streaming::of(&at),
            conversation: Conversation::of(&at),
            entitlements: rights.clone(),
            checks,
            findings,
        })
    }

    /// Whether it will load and chat, or at least may.
    pub fn is_fine(&self) -> bool {
        self.outcome != Outcome::Fails
    }
}

impl Check {
    /// How much of the limit is left, 0 to 1; below 0 where it is exceeded.
    pub fn margin(&self) -> Option<f64> {
        let limit = self.limit.as_ref()?.bytes.max(1) as f64;
        Some((limit - self.needs as f64) / limit)
    }
}

fn checks(at: &Situation<'_>, findings: &[Finding]) -> Vec<Check> {
    let limits = &at.device.limits;
    let pair = |pair: &crate::device::Pair, has: bool| {
        (pair.get(has).cloned(), (!has).then(|| pair.with.clone()).flatten())
    };
    let mut checks = Vec::new();
    let mut add = |code, what, needs, (limit, entitled)| {
        checks.push(Check { code, what, needs, limit, entitled });
    };
    if at.options.mmap && at.device.is_mobile() {
        add(
            Code::AddressSpace,
            "mapping the file",
            at.need.file_bytes(),
            pair(&limits.address_space, at.maps_more()),
        );
    }
    if !at.options.cpu_only {
        add(Code::BufferCap, "one GPU buffer", at.largest_buffer().0, (limits.max_buffer.clone(), None));
        add(Code::WorkingSet, "GPU's working set", at.on_gpu(), (limits.working_set.clone(), None));
    }
    if at.device.is_mobile() {
        add(Code::AppMemory, "memory written to", at.written(), pair(&limits.app_memory, at.takes_more()));
    }
    // A file that failed below the limit is the limit.
    for check in &mut checks {
        let found = findings.iter().find(|finding| finding.code == check.code);
        if let Some(limit) = found.and_then(|finding| finding.limit.clone()) {
            check.limit = Some(limit);
        }
    }
    checks
}
