//! SARIF 2.1.0, the format in which code hosts take findings (OASIS, "Static Analysis Results Interchange Format").

use serde_json::{Value, json};

use crate::{Finding, LintCode, LintReport, entry};

/// The schema that the log says it follows.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The log of one report: every code is a rule, every finding a result. `uri` names the file: relative to the repository
/// where it lies in it.
pub fn sarif(report: &LintReport, uri: &str, version: &str) -> Value {
    let rules: Vec<Value> = LintCode::ALL.iter().map(|code| rule(*code)).collect();
    let results: Vec<Value> = report.findings.iter().map(|finding| result(finding, uri)).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "llama-conformance lint", "semanticVersion": version, "rules": rules } },
            "results": results,
            "columnKind": "unicodeCodePoints",
        }],
    })
}

fn rule(code: LintCode) -> Value {
    let entry = entry(code);
    json!({
        "id": code.name(),
        "shortDescription": { "text": entry.title },
        "fullDescription": { "text": entry.meaning },
        "help": { "text": format!("{}\n{}", entry.cure, entry.links.join("\n")) },
        "helpUri": entry.links.first(),
        "defaultConfiguration": { "level": entry.severity.name() },
    })
}

fn result(finding: &Finding, uri: &str) -> Value {
    let mut place = json!({ "artifactLocation": { "uri": uri } });
    if let Some(line) = finding.line {
        place["region"] = json!({ "startLine": line });
    }
    json!({
        "ruleId": finding.code.name(),
        "ruleIndex": LintCode::ALL.binary_search(&finding.code).unwrap_or_default(),
        "level": finding.severity().name(),
        "message": { "text": format!("{}; {}", finding.message, finding.entry().cure) },
        "locations": [{ "physicalLocation": place }],
    })
}
