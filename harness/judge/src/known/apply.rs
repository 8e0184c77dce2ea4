//! From findings and known failures to an outcome.

use wire::Card;

use super::{KnownFailure, KnownFailures, Stance};
use crate::verdict::{Outcome, Record};

/// What the list says of one record.
#[derive(Clone, Debug, PartialEq)]
pub struct Applied<'a> {
    /// The outcome with known failures taken into account.
    pub outcome: Outcome,
    /// The entries that spoke.
    pub by: Vec<&'a KnownFailure>,
}

/// Applies `known` to `record`, which `card`'s subject gave.
///
/// A failure is expected where every finding at the blamed layer is known; findings at later layers are its
/// consequences. A pass where an entry says that it must fail is an improvement.
pub fn apply<'a>(record: &Record, card: &Card, known: &'a KnownFailures) -> Applied<'a> {
    let about: Vec<&KnownFailure> =
        known.entries().iter().filter(|entry| entry.is_about(&record.case, &record.model, card)).collect();
    let unchanged = Applied { outcome: record.outcome, by: Vec::new() };
    match record.outcome {
        Outcome::Fail => {
            let Some(blame) = &record.blame else { return unchanged };
            let causes = record.findings.iter().filter(|finding| finding.layer == blame.layer);
            let entries: Option<Vec<&KnownFailure>> =
                causes.map(|cause| about.iter().find(|entry| entry.finding == cause.code).copied()).collect();
            entries.map_or(unchanged, |by| Applied { outcome: Outcome::ExpectedFail, by })
        }
        Outcome::Pass => {
            let by: Vec<_> = about.into_iter().filter(|entry| entry.stance == Stance::MustFail).collect();
            if by.is_empty() { unchanged } else { Applied { outcome: Outcome::Improved, by } }
        }
        _ => unchanged,
    }
}

#[cfg(test)]
mod tests {
    use wire::{EngineKind, Layer};

    use super::super::SubjectMatch;
    use super::*;
    use crate::finding::{Code, Finding};
    use crate::triage::Blame;

    fn card() -> Card {
        Card {
            backend: "metal".into(),
            devices: Vec::new(),
            os: "macOS 15".into(),
            arch: "aarch64".into(),
            cpu_features: String::new(),
            llama_version: "0.6.0-dev".into(),
            llama_build: Some(11434),
            bindings: String::new(),
            capabilities: Vec::new(),
            engines: vec![EngineKind::Raw],
            template_engines: Vec::new(),
            wrapper: String::new(),
            fault: None,
        }
    }

    fn record(outcome: Outcome, findings: &[(Code, Layer)]) -> Record {
        let findings: Vec<Finding> =
            findings.iter().map(|(code, layer)| Finding::at(*layer, *code, "x")).collect();
        let blame = findings.first().map(|first| Blame {
            layer: first.layer,
            code: first.code,
            sentence: String::new(),
            next: String::new(),
        });
        Record { findings, blame, ..Record::named("eog/x", "m", "metal", outcome, None) }
    }

    fn known(stance: Stance, backend: &str, builds: Option<(u32, Option<u32>)>) -> KnownFailures {
        known_of(None, stance, backend, builds)
    }

    fn known_of(
        model: Option<&str>,
        stance: Stance,
        backend: &str,
        builds: Option<(u32, Option<u32>)>,
    ) -> KnownFailures {
        KnownFailures::new(vec![KnownFailure {
            case: "eog/*".into(),
            finding: Code::LogitsDiffer,
            model: model.map(str::to_owned),
            subject: SubjectMatch {
                backend: Some(backend.into()),
                builds: builds.map(|(from, to)| super::super::Builds { from, to }),
                ..SubjectMatch::default()
            },
            stance,
            reason: "r".into(),
            link: "https://example.org".into(),
        }])
    }

    #[test]
    fn outcome_depends_on_finding_stance_subject_and_build() {
        use Outcome::{ExpectedFail, Fail, Improved, Pass, Skip};
        use Stance::{MayFail, MustFail};
        let numbers = &[(Code::LogitsDiffer, Layer::Prefill), (Code::NeverEnded, Layer::Stop)][..];
        let other = &[(Code::Died, Layer::Decode)][..];
        let beside = &[(Code::LogitsDiffer, Layer::Prefill), (Code::LogitsStale, Layer::Prefill)][..];
        let table = [
            (Fail, numbers, known(MustFail, "metal", None), ExpectedFail),
            (Fail, numbers, known(MayFail, "met*", None), ExpectedFail),
            (Fail, numbers, known(MustFail, "vulkan", None), Fail),
            (Fail, numbers, known_of(Some("m*"), MustFail, "metal", None), ExpectedFail),
            (Fail, numbers, known_of(Some("other"), MustFail, "metal", None), Fail),
            (Pass, &[], known_of(Some("other"), MustFail, "metal", None), Pass),
            (Fail, numbers, known(MustFail, "metal", Some((9000, Some(11434)))), ExpectedFail),
            (Fail, numbers, known(MustFail, "metal", Some((9000, Some(11433)))), Fail),
            (Fail, numbers, known(MustFail, "metal", Some((11435, None))), Fail),
            (Fail, other, known(MustFail, "metal", None), Fail),
            (Fail, beside, known(MustFail, "metal", None), Fail),
            (Pass, &[], known(MustFail, "metal", None), Improved),
            (Pass, &[], known(MayFail, "metal", None), Pass),
            (Pass, &[], known(MustFail, "vulkan", None), Pass),
            (Skip, &[], known(MustFail, "metal", None), Skip),
        ];
        for (index, (before, findings, known, after)) in table.iter().enumerate() {
            assert_eq!(apply(&record(*before, findings), &card(), known).outcome, *after, "row {index}");
        }
    }
}
