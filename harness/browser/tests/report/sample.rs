//! Reports to look at, and a browser that has one open.

use std::path::PathBuf;

use browser::Browser;
use judge::report::{Document, Format};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A browser with a report open.
pub(crate) struct Open {
    pub(crate) browser: Browser,
    pub(crate) file: PathBuf,
    _folder: TempDir,
}

impl Open {
    /// Opens `document` at `place`.
    pub(crate) fn new(document: &Document, place: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("report.html");
        std::fs::write(&file, Format::Html.text(document).unwrap()).unwrap();
        let mut browser = Browser::start().unwrap_or_else(|error| panic!("{error}"));
        browser.open(&file, place).unwrap();
        Self { browser, file, _folder: folder }
    }

    /// What `script` is worth, as text.
    #[track_caller]
    pub(crate) fn text(&mut self, script: &str) -> String {
        match self.browser.value(script).unwrap() {
            Value::String(text) => text,
            value => value.to_string(),
        }
    }

    #[track_caller]
    pub(crate) fn until(&mut self, condition: &str) {
        self.browser.until(condition).unwrap_or_else(|error| panic!("{condition}: {error}"));
    }

    /// The cases in the matrix, as it stands.
    pub(crate) fn rows(&mut self) -> Vec<String> {
        let names = "[...document.querySelectorAll('#matrix tbody th b')].map(name => name.textContent)";
        serde_json::from_value(self.browser.value(names).unwrap()).unwrap()
    }
}

fn card(backend: &str) -> Value {
    json!({
        "backend": backend, "devices": [{"name": "D0", "description": "a device", "kind": "cpu"}], "os": "Linux 6",
        "arch": "x86_64", "cpu_features": "AVX2", "llama_version": "b11434", "bindings": "llama-cpp-sys-2 0.1.161",
        "capabilities": [], "engines": [], "template_engines": [], "wrapper": "reference 1"
    })
}

/// One result.
pub(crate) fn result(case: &str, model: &str, subject: &str, outcome: &str) -> Value {
    json!({
        "case": case, "model": model, "subject": subject, "outcome": outcome, "milliseconds": 12.5, "compute_us": 9000
    })
}

/// A document of these results.
pub(crate) fn document(results: &[Value]) -> Document {
    let count = |outcome: &str| results.iter().filter(|result| result["outcome"] == outcome).count();
    serde_json::from_value(json!({
        "version": 1, "cards": {"cpu": card("cpu"), "vulkan": card("vulkan")}, "jobs": 2, "interrupted": false,
        "cases": {"eog/stops": {"why": "The answer must end.", "links": ["https://example.org/1"]}},
        "results": results, "wall_ms": 2930.0, "peak_memory_bytes": null,
        "totals": {
            "passed": count("pass") + count("expected-fail"), "failed": count("fail"), "skipped": count("skip"),
            "broken": 0, "known_failures": count("expected-fail"), "inconclusive": 0
        }
    }))
    .unwrap()
}

/// A failure with everything that a page can show; texts come from `words`.
pub(crate) fn failure(case: &str, subject: &str, words: &str) -> Value {
    let mut failed = result(case, "tiny", subject, "fail");
    let control = json!({"id": 1, "piece": "<|im_start|>", "kind": "control"});
    let position = |pos: u32, kl: f64| json!({"pos": pos, "after": words, "kl": kl, "nmse": 0.5, "margin": 1.0, "expected_margin": 2.0});
    failed["findings"] =
        json!([{"code": "logits-differ", "layer": "prefill", "message": words, "turn": 0, "check": 0}]);
    failed["blame"] =
        json!({"layer": "prefill", "code": "logits-differ", "sentence": words, "next": "look `there`"});
    failed["line"] = 12.into();
    failed["trace"] =
        json!({"outcome": "node", "sentence": format!("the first wrong node: {words}"), "text": words});
    failed["log_tail"] = json!([words, "load: done"]);
    failed["evidence"] = json!({
        "compared_with": "the golden", "kl_limit": 0.001,
        "turns": [{
            "prompt": words, "prompt_tokens": [control, {"id": 2, "piece": words}], "answer": "The capital is Paris.",
            "stop": {"reason": "length"},
            "expected": {"answer": "The capital is Lyon.", "stop": {"reason": "eog", "token": 2}},
            "positions": [position(1, 1e-6), position(2, 0.5), {"pos": 3, "other_top": true}]
        }],
        "memory": {"buffers": [{"name": "model file", "bytes": 1_073_741_824}], "limits": [{"name": "address space", "bytes": 536_870_912}]}
    });
    failed
}

/// A small report: two subjects, three families, every kind of outcome that people meet.
pub(crate) fn small() -> Document {
    let mut skipped = result("load/space", "-", "vulkan", "skip");
    skipped["reason"] = "vulkan has no capability \"address-space-limit\"".into();
    document(&[
        result("eog/stops", "tiny", "cpu", "pass"),
        failure("eog/stops", "vulkan", "prompt and tokens agree; logits differ"),
        result("load/space", "-", "cpu", "pass"),
        skipped,
        result("turns/leak", "tiny", "cpu", "pass"),
        result("turns/leak", "tiny", "vulkan", "expected-fail"),
    ])
}
