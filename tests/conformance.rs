//! The cases as a test target: `cargo test --test conformance`, or with nextest.
//!
//! A thin adapter over [`judge::session::Session`], one trial per item. `cargo xtask test` is the product; this is
//! for people whose tools speak libtest. Environment variables stand for flags:
//! - `LLAMA_CONFORMANCE_BACKEND`: backends to ask, comma-separated; default `cpu`;
//! - `LLAMA_CONFORMANCE_MODEL`: names of models or GGUF files, comma-separated, instead of the fixtures;
//! - `LLAMA_CONFORMANCE_REQUIRE`: backends whose missing probe is a failure rather than ignored trials.

use std::env;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use judge::plan::Plan;
use judge::session::{RunOptions, Session, SessionOptions, run};
use judge::setup::{Folders, Suite};
use judge::verdict::Record;
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials() {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(101)
        }
    }
}

fn trials() -> Result<Vec<Trial>, Box<dyn std::error::Error>> {
    let folders = Folders::of_workspace(Path::new(env!("CARGO_MANIFEST_DIR")));
    let required = list("LLAMA_CONFORMANCE_REQUIRE").unwrap_or_default();
    let backends = list("LLAMA_CONFORMANCE_BACKEND").unwrap_or_else(|| vec!["cpu".into()]);
    let models = list("LLAMA_CONFORMANCE_MODEL").unwrap_or_default();
    let suite = Suite::read(&folders)?;
    let (mut targets, mut trials) = (Vec::new(), Vec::new());
    for backend in backends {
        match folders.target(&backend) {
            Ok(target) => targets.push(Arc::new(target)),
            Err(error) if required.contains(&backend) => {
                let message = error.to_string();
                trials.push(Trial::test(format!("[{backend}] probe"), move || Err(Failed::from(message))));
            }
            Err(error) => trials.push(ignored(&format!("[{backend}] {error}"))),
        }
    }
    let plan = suite.plan(&folders, &models, &targets, &[])?;
    let session = || suite.session(&folders, SessionOptions::default(), false);
    if !plan.items.is_empty() {
        let (plan, one_by_one, as_a_run) = (plan.clone(), session(), session());
        trials.push(Trial::test("both front ends give the same verdicts", move || {
            same_verdicts(&plan, &one_by_one, &as_a_run)
        }));
    }
    let session = Arc::new(session());
    for item in plan.items {
        let session = session.clone();
        let name = format!("[{}/{}] {}", item.target.name, item.model_name(), item.case.id);
        trials.push(Trial::test(name, move || {
            judge::report::trial(&session.verdict(&item)).map_err(Failed::from)
        }));
    }
    trials.extend(
        plan.skipped.iter().map(|skipped| ignored(&format!("[{}] {}", skipped.item, skipped.reason))),
    );
    Ok(trials)
}

/// What `cargo xtask test` does, against what the trials here do: every item must be judged alike.
fn same_verdicts(plan: &Plan, one_by_one: &Session, as_a_run: &Session) -> Result<(), Failed> {
    let summary = run(as_a_run, plan, RunOptions { jobs: 1 }, &AtomicBool::new(false), &mut [])?;
    for item in &plan.items {
        let ours = one_by_one.verdict(item);
        let same = |theirs: &Record| {
            (&theirs.case, &theirs.model, &theirs.subject) == (&ours.case, &ours.model, &ours.subject)
        };
        let theirs = summary.records.iter().find(|record| same(record));
        let theirs = theirs.ok_or_else(|| Failed::from(format!("{item} did not run")))?;
        if (theirs.outcome, &theirs.findings) != (ours.outcome, &ours.findings) {
            return Err(Failed::from(format!("{item}: {:?} and {:?}", theirs.outcome, ours.outcome)));
        }
    }
    Ok(())
}

fn ignored(name: &str) -> Trial {
    Trial::test(name, || Ok(())).with_ignored_flag(true)
}

fn list(variable: &str) -> Option<Vec<String>> {
    let value = env::var(variable).ok()?;
    Some(value.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect())
}
