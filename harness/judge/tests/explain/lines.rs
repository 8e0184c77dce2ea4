//! Every line of lines.json is recognised as what it says, and as nothing else.
//!
//! A line is captured (with the public page that shows it), or synthetic (with the format string or the form that it
//! was made from), or a near miss (with the reason why it means nothing).

use std::collections::BTreeSet;

use judge::explain::{Severity, explain_log, signatures};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    line: String,
    #[serde(default)]
    captured: Option<String>,
    #[serde(default)]
    synthetic: Option<String>,
    #[serde(default)]
    near: Option<String>,
    ids: BTreeSet<String>,
}

fn lines() -> Vec<Line> {
    serde_json::from_str(include_str!("lines.json")).unwrap()
}

#[test]
fn each_line_is_recognised_as_what_it_is() {
    let mut wrong = Vec::new();
    for Line { line, ids, .. } in lines() {
        let report = explain_log(line.as_bytes()).unwrap();
        let seen: BTreeSet<String> = report.findings.iter().map(|f| f.signature.to_owned()).collect();
        if seen != ids {
            wrong.push(format!("{line:?}\n  expected {ids:?}, saw {seen:?}"));
        }
        wrong.extend(
            report
                .findings
                .iter()
                .filter(|finding| finding.meaning.contains("unknown ") || finding.meaning.contains('{'))
                .map(|finding| format!("{line:?}\n  not filled in: {}", finding.meaning)),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_signature_has_a_line_and_each_line_a_source() {
    let all = lines();
    for signature in signatures() {
        assert!(all.iter().any(|line| line.ids.contains(&signature.id)), "no line shows {}", signature.id);
    }
    for line in &all {
        let sources = [&line.captured, &line.synthetic, &line.near];
        assert_eq!(sources.iter().filter(|source| source.is_some()).count(), 1, "{}", line.line);
        assert_eq!(line.near.is_some(), line.ids.is_empty(), "{}", line.line);
        let link = line.captured.as_deref().unwrap_or("https://");
        assert!(link.starts_with("https://") && !link.contains(' '), "{link}");
    }
}

#[test]
fn a_line_means_the_same_behind_any_logger_and_line_end() {
    let prefixes = [
        "2023-09-08 08:42:45.044911+0800 MyApp[22094:1737373] ",
        "\u{1b}[33m0.44.777.484 E ",
        "Mar 24 21:17:29 jarvis ollama[2742822]: ",
        "server-1  | 2025-01-01T00:00:00.5Z [ERROR] ",
        "{\"level\":\"error\",\"msg\":\"",
    ];
    for Line { line, ids, .. } in lines().into_iter().filter(|line| line.near.is_none()) {
        if line.contains('\n') || line.starts_with(['{', ' ', '[']) || line.contains('"') {
            continue;
        }
        for prefix in prefixes {
            let text = format!("{prefix}{line}\u{1b}[0m\r\n");
            let report = explain_log(text.as_bytes()).unwrap();
            let seen: BTreeSet<String> = report.findings.iter().map(|f| f.signature.to_owned()).collect();
            assert_eq!(seen, ids, "{text:?}");
        }
    }
}

#[test]
fn utf_16_from_a_windows_shell_can_be_read() {
    let text: Vec<u8> =
        "\u{feff}main: x\r\nllama_model_load: error loading model: mmap failed: Cannot allocate memory\r\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
    let report = explain_log(text.as_slice()).unwrap();
    assert_eq!(report.findings[0].signature, "mmap-enomem");
    assert_eq!(report.findings[0].line, 2);
}

#[test]
fn no_error_is_without_a_cure_and_no_notice_is_a_cause() {
    for Line { line, .. } in lines() {
        for finding in explain_log(line.as_bytes()).unwrap().findings {
            assert!(!finding.cure.is_empty() && !finding.meaning.is_empty());
            if finding.severity == Severity::Notice {
                assert_eq!(finding.role.name(), "notice");
            }
        }
    }
}
