//! The same with the real probe, while llama.cpp is busy.
//!
//! Only `cargo xtask build` makes a probe. Where there is none these trials are ignored, and their names say how to
//! get it; under `LLAMA_CONFORMANCE_REQUIRE=cpu` that is a failure instead.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use judge::built::BuiltError;
use judge::setup::Folders;
use libtest_mimic::{Failed, Trial};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::log::Log;
use crate::running::Running;
use crate::stage::{Stage, outcomes};

/// What llama.cpp logs, and what it is busy with by then.
const BUSY: [(&str, &str); 3] = [
    ("loading", "llama_model_loader: "),
    ("making-a-context", "llama_kv_cache: "),
    // Each time that the context is full and shifted.
    ("decoding", "failed to find a memory slot"),
];

pub(crate) fn trials() -> Vec<Trial> {
    let probe = Folders::of_workspace(&checkout()).target("cpu").map(|target| target.launch.program);
    let mut trials = vec![trial("recorded-and-judged", &probe, recorded_and_judged)];
    trials.push(trial("new-case-asked-at-once", &probe, a_new_case_is_asked_at_once));
    for (doing, line) in BUSY {
        trials.extend([
            trial(&format!("harness-killed-while-{doing}"), &probe, move |probe| harness_killed(probe, line)),
            trial(&format!("probe-killed-while-{doing}"), &probe, move |probe| probe_killed(probe, line)),
            trial(&format!("interrupted-while-{doing}"), &probe, move |probe| interrupted(probe, line)),
        ]);
    }
    trials
}

fn trial(name: &str, probe: &Result<PathBuf, BuiltError>, run: impl FnOnce(&Path) + Send + 'static) -> Trial {
    match probe {
        Ok(program) => {
            let program = program.clone();
            Trial::test(format!("real::{name}"), move || {
                run(&program);
                Ok(())
            })
        }
        Err(error) => {
            let required = env::var("LLAMA_CONFORMANCE_REQUIRE").unwrap_or_default();
            let ignored = !required.split(',').any(|backend| backend == "cpu");
            let message = error.to_string();
            let title = format!("real::{name} ({message})");
            Trial::test(title, move || Err(Failed::from(message))).with_ignored_flag(ignored)
        }
    }
}

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").to_owned()
}

/// Everything that the checkout asks of its fixtures, recorded, and judged again when the probe is gone.
fn recorded_and_judged(probe: &Path) {
    let stage = Stage::with_probe(&format!("exec '{}'", probe.display()));
    fs::remove_dir_all(stage.path("cases")).expect("a folder");
    fs::create_dir_all(checkout().join("target/fixtures")).expect("a folder");
    fs::create_dir(stage.path("target")).expect("a folder");
    for name in ["cases", "golden", "target/fixtures"] {
        symlink(checkout().join(name), stage.path(name)).expect("a link");
    }
    let live = stage.run(&["test", "--no-stage", "--json", "live", "--record", "recording"]);
    fs::remove_dir_all(stage.path("target/probe")).expect("a folder");
    fs::remove_dir_all(stage.project.folder().join("bin")).expect("a folder");
    let judged = stage.run(&["judge", "recording", "--no-stage", "--json", "judged"]);
    assert_eq!(judged.code, live.code, "{live:#?}\n{judged:#?}");
    let (live, judged) = (stage.report("live"), stage.report("judged"));
    assert!(live["totals"]["passed"].as_u64() > Some(0), "{live:#}");
    assert_eq!(judged["totals"], live["totals"]);
    assert_eq!(judged["cards"], live["cards"]);
    assert_eq!(timeless(&judged), timeless(&live));
}

/// A case as `new case` writes it: the fixture says what it should, and a wrong expectation fails.
fn a_new_case_is_asked_at_once(probe: &Path) {
    let stage = Stage::with_probe(&format!("exec '{}'", probe.display()));
    let models = r#"[{"name": "compiled-gemma", "kind": "fixture", "role": "chat"}]"#;
    stage.project.write("cases/models.json", models);
    let new = |name: &str, more: &[&str]| {
        let args = [&["new", "case", name, "--why", "It never ends."], more].concat();
        let answer = stage.run(&args);
        assert_eq!(answer.code, 0, "{answer:#?}");
    };
    new("new/answer", &["--ask", "Say goodbye", "--expect", "Bye."]);
    new("new/ends", &["--ask", "Say goodbye"]);
    new("new/forever", &["--ask", "Sing forever"]);
    new("new/prompt", &["--stimulus", "render", "--ask", "Hi", "--expect", "<start_of_turn>user\nHi"]);
    new("new/turns", &["--ask", "France?", "--ask", "Say goodbye", "--expect", "The capital is Paris."]);
    new("new/wrong", &["--ask", "Say goodbye", "--expect", "Hello."]);
    let answer = stage.run(&["test", "--filter", "new/*", "--json", "report", "--jobs", "1"]);
    assert_eq!(answer.code, 1, "{answer:#?}");
    let expected = [
        ("new/answer", "pass"),
        ("new/ends", "pass"),
        ("new/forever", "fail"),
        ("new/prompt", "pass"),
        ("new/turns", "pass"),
        ("new/wrong", "fail"),
    ];
    assert_eq!(outcomes(&stage.report("report")), expected, "{answer:#?}");
}

/// The results without what a clock said.
fn timeless(report: &Value) -> Vec<Value> {
    let mut results = report["results"].as_array().expect("results").clone();
    for result in &mut results {
        assert!(result.as_object_mut().expect("a result").remove("milliseconds").is_some());
    }
    results
}

/// A run that never ends by itself: its second case generates for ever, while the context is shifted.
struct Busy {
    stage: Stage,
    running: Running,
    pid: u32,
}

impl Busy {
    /// Starts it, and waits until llama.cpp has logged `line`.
    fn start(probe: &Path, line: &str) -> Self {
        let mut stage = Stage::with_probe(&format!("exec 2>\"$here/log\"\nexec '{}'", probe.display()));
        let log = Log::new(&stage.project.folder().join("log"));
        fs::remove_dir_all(stage.path("cases/eog")).expect("a folder");
        let forever = json!({
            "turns": [{"user": "Sing forever"}], "memory": "shifted", "history": "last-only", "max_tokens": u32::MAX,
        });
        let on_model = |stimulus: Value| {
            let config = json!({"context": {"n_ctx": 256}});
            json!({"stimulus": stimulus, "models": ["compiled-chatml"], "config": config})
        };
        stage.case("a", "", &json!({"stimulus": {"stream": {"pieces": []}}}));
        stage.case("b", "", &on_model(json!({"converse": forever})));
        stage.case("c", "", &on_model(json!({"inspect": {}})));
        let models = r#"[{"name": "compiled-chatml", "kind": "fixture", "role": "chat"}]"#;
        stage.project.write("cases/models.json", models);
        let running = stage.start(&["test", "--json", "report", "--jobs", "1", "--deadline", "600"]);
        // One worker: what was asked "a", which needs no model, is given the model of the others.
        let pid = stage.alive.next();
        log.await_line(line);
        Self { stage, running, pid }
    }
}

fn harness_killed(probe: &Path, line: &str) {
    let Busy { stage, running, .. } = Busy::start(probe, line);
    running.signal(Signal::KILL);
    assert_eq!(running.end().code, -1);
    assert!(!stage.path("report").exists());
    stage.alive.await_end();
}

fn probe_killed(probe: &Path, line: &str) {
    let Busy { stage, running, pid } = Busy::start(probe, line);
    let pid = Pid::from_raw(pid.cast_signed()).expect("a process id");
    kill_process(pid, Signal::KILL).expect("a running probe");
    let answer = running.end();
    assert_eq!(answer.code, 1, "{answer:#?}");
    let report = stage.report("report");
    assert_eq!(outcomes(&report), [("eog/a", "pass"), ("eog/b", "fail"), ("eog/c", "pass")]);
    let findings = report["results"][1]["findings"].as_array().expect("findings");
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0]["code"], "died");
    assert!(findings[0]["message"].as_str().expect("a message").contains("signal 9"), "{findings:?}");
    stage.alive.await_end();
}

fn interrupted(probe: &Path, line: &str) {
    let Busy { stage, running, .. } = Busy::start(probe, line);
    running.signal(Signal::INT);
    let answer = running.end();
    assert_eq!(answer.code, 130, "{answer:#?}");
    let report = stage.report("report");
    assert_eq!(report["interrupted"], true);
    assert_eq!(outcomes(&report), [("eog/a", "pass")]);
    stage.alive.await_end();
}
