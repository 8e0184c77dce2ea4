//! JUnit XML, for CI systems that show test results.
//!
//! A subject is a suite, an item a test case: its name is the case and the model, its class the subject and the
//! family. What the harness could not do is an error, whatever else is bad a failure.

use std::io;
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite, XmlString};

use super::failure::explain;
use super::{Document, words::family};
use crate::verdict::{Outcome, Record};

/// `document` as JUnit XML.
pub(super) fn text(document: &Document) -> io::Result<String> {
    let mut report = Report::new("llama-conformance");
    report.set_time(duration(document.wall_ms));
    for (subject, card) in &document.cards {
        let mut suite = TestSuite::new(subject.as_str());
        for (name, value) in [("os", &card.os), ("bindings", &card.bindings), ("llama.cpp", &card.llama())] {
            suite.add_property((name, value.as_str()));
        }
        let own = document.results.iter().filter(|record| record.subject == *subject);
        let own: Vec<&Record> = own.collect();
        suite.set_time(duration(own.iter().map(|record| record.milliseconds).sum()));
        suite.add_test_cases(own.iter().map(|record| test_case(record)));
        report.add_test_suite(suite);
    }
    report.to_string().map_err(io::Error::other)
}

fn test_case(record: &Record) -> TestCase {
    let mut test = TestCase::new(format!("{} {}", record.case, record.model), status(record));
    test.set_classname(format!("{}.{}", record.subject, family(&record.case)));
    test.set_time(duration(record.milliseconds));
    test.extra.insert("file".into(), XmlString::new(format!("cases/{}.json", record.case)));
    if let Some(line) = record.line {
        test.extra.insert("line".into(), XmlString::new(line.to_string()));
    }
    if record.outcome == Outcome::ExpectedFail {
        test.set_system_out(explain(record, None));
    }
    test
}

fn status(record: &Record) -> TestCaseStatus {
    let kind = match record.outcome {
        Outcome::Pass | Outcome::ExpectedFail => return TestCaseStatus::success(),
        Outcome::Skip | Outcome::Inconclusive => {
            let mut status = TestCaseStatus::skipped();
            status.set_type(record.outcome.word());
            status.set_message(record.reason.clone().unwrap_or_default());
            return status;
        }
        Outcome::Broken => NonSuccessKind::Error,
        Outcome::Fail | Outcome::Improved | Outcome::Flaky => NonSuccessKind::Failure,
    };
    let mut status = TestCaseStatus::non_success(kind);
    let code = record.blame.as_ref().map(|blame| blame.code.to_string());
    status.set_type(code.unwrap_or_else(|| record.outcome.word().to_lowercase()));
    let sentence = record.blame.as_ref().map(|blame| format!("{}: {}", blame.layer.name(), blame.sentence));
    status.set_message(sentence.or_else(|| record.reason.clone()).unwrap_or_default());
    status.set_description(explain(record, None));
    status
}

fn duration(milliseconds: f64) -> Duration {
    Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn document() -> Document {
        let record = |case: &str, outcome, reason: Option<&str>| {
            Record::named(case, "m", "cpu", outcome, reason.map(str::to_owned))
        };
        let card = serde_json::from_value(serde_json::json!({
            "backend": "cpu", "devices": [], "os": "o", "arch": "a", "cpu_features": "", "llama_version": "b1",
            "bindings": "c", "capabilities": [], "engines": [], "template_engines": [], "wrapper": "w"
        }));
        let results = vec![
            record("eog/a", Outcome::Pass, None),
            record("eog/b", Outcome::Broken, Some("no <probe> & \u{1b}[31mred\u{0}")),
            Record { line: Some(7), ..record("eog/c", Outcome::Fail, None) },
            record("load/d", Outcome::Skip, Some("no capability")),
            record("load/e", Outcome::ExpectedFail, Some("known: x")),
        ];
        Document { results, cards: BTreeMap::from([("cpu".to_owned(), card.unwrap())]), ..Document::empty() }
    }

    #[test]
    fn every_outcome_is_told_as_junit_knows_it() {
        let text = text(&document()).unwrap();
        for part in [
            r#"<testsuite name="cpu" tests="5" skipped="1" errors="1" failures="1""#,
            r#"<testcase name="eog/a m" classname="cpu.eog""#,
            r#"file="cases/eog/c.json" line="7""#,
            r#"<error message="no &lt;probe&gt; &amp; red" type="broken">"#,
            r#"<skipped message="no capability" type="skip"/>"#,
            "<system-out>",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
        assert!(!text.contains(['\u{1b}', '\u{0}']));
    }
}
