//! `device prove`: everything of Apple's side that this machine can prove.
//!
//! The Swift packages are built and tested against the bridge with llama.cpp inside; the bridge and a sound wrapper must
//! be judged as fine, and five broken wrappers must each fail where `ios-runner/wrappers.json` says; the bridge is
//! checked for Apple's targets.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;
use wire::Layer;

use super::{judge, sheet};
use crate::backend::{self, TABLE};
use crate::command_line::CommandLine;
use crate::commands::build;
use crate::context::Context;
use crate::exit::Exit;
use crate::flags::{BackendFlags, DeviceJudgeFlags, ReportFlags, SheetFlags};
use crate::setup::{Mode, Swift};

/// What became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::commands) enum Proof {
    /// Everything was asked.
    Done(Exit),
    /// It cannot be asked here, and why.
    LeftOut(String),
}

/// The processor's row: its llama.cpp is built already, and the bridge is built beside it.
const ROW: &str = "cpu";

const APPLE: [&str; 3] = ["aarch64-apple-ios", "aarch64-apple-ios-sim", "aarch64-apple-darwin"];

/// One wrapper that must fail, and where.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mine {
    wrapper: String,
    case: String,
    finding: String,
    blame: Layer,
}

/// Proves what can be proved.
///
/// # Errors
/// When the harness itself fails, or something cannot be set up.
pub(in crate::commands) fn prove(setup: bool, context: &Context) -> Result<Proof> {
    let mode = Mode::from_flag(setup);
    let swift = match Swift::ensure(mode, &context.machine)? {
        Ok(swift) => swift,
        Err(reason) => return Ok(Proof::LeftOut(reason)),
    };
    let backends = BackendFlags { backend: vec![ROW.to_owned()], llama_src: None, setup };
    build::subjects(&backends, context)?;
    let row = TABLE.iter().find(|row| row.name == ROW).context("there is a row for the processor")?;
    backend::bridge(row, &context.workspace, &context.machine).run_checked(&context.machine, Exit::Broken)?;
    let llama = backend::bindings_folder(&context.workspace, &context.machine)?.join("llama.cpp");
    let place = context.workspace.target().join("device/proof");
    let sheets = sheets(&place, context)?;
    let answers = place.join("answers");
    if answers.exists() {
        fs::remove_dir_all(&answers).with_context(|| format!("cannot remove {}", answers.display()))?;
    }
    let swift_test = swift_test(&swift, &llama, context)?;
    if !swift_test.run(&context.machine)?.success() {
        return Ok(Proof::Done(Exit::Verdicts));
    }
    let judged = verdicts(&sheets, &answers, context)?;
    if judged != Exit::Fine || matches!(swift, Swift::System) {
        return Ok(Proof::Done(judged));
    }
    for target in APPLE {
        cross_check(&swift, &llama, target, context).run_checked(&context.machine, Exit::Verdicts)?;
    }
    Ok(Proof::Done(Exit::Fine))
}

/// The sheet of the bridge, and that of the wrappers.
struct Sheets {
    bridge: PathBuf,
    wrapper: PathBuf,
}

fn sheets(place: &Path, context: &Context) -> Result<Sheets> {
    let write = |name: &str, model: &[&str], filter: &[&str]| {
        let file = place.join(format!("{name}.json"));
        let owned = |words: &[&str]| words.iter().map(ToString::to_string).collect();
        let flags = SheetFlags {
            subject: name.to_owned(),
            model: owned(model),
            filter: owned(filter),
            reference: None,
            out: Some(file.clone()),
        };
        sheet::run(&flags, context).map(|_| file)
    };
    let chat = ["eog/*", "template/*", "thinking/*", "turns/*"];
    let models = ["compiled-chatml", "compiled-gemma"];
    Ok(Sheets { bridge: write("bridge", &models, &chat)?, wrapper: write("wrapper", &models, &[])? })
}

/// `swift test` with everything that the tests are told by their environment.
fn swift_test(swift: &Swift, llama: &Path, context: &Context) -> Result<CommandLine> {
    let root = context.workspace.root();
    let here = |path: PathBuf| -> Result<String> {
        let below = path.strip_prefix(root).with_context(|| format!("{} is outside", path.display()))?;
        Ok(swift.work(root).join(below).display().to_string())
    };
    let target = context.workspace.target();
    let place = target.join("device/proof");
    let scratch = match swift {
        Swift::System => place.join("swift").display().to_string(),
        Swift::Chroot(_) => "/swift".to_owned(),
    };
    let command = [
        format!("CONFORMANCE_LIBRARY={}", here(context.workspace.probe_folder(ROW).join("release"))?),
        format!("CONFORMANCE_LLAMA={}", swift.llama(llama).display()),
        format!("CONFORMANCE_SHEET={}", here(place.join("bridge.json"))?),
        format!("CONFORMANCE_WRAPPER_SHEET={}", here(place.join("wrapper.json"))?),
        format!("CONFORMANCE_MODELS={}", here(context.workspace.fixtures())?),
        format!("CONFORMANCE_ANSWERS={}", here(place.join("answers"))?),
        "swift".to_owned(),
        "test".to_owned(),
        "--package-path".to_owned(),
        here(root.join("ios-runner"))?,
        "--scratch-path".to_owned(),
        scratch,
        "--disable-sandbox".to_owned(),
    ];
    Ok(swift.run(root, llama, &command))
}

fn cross_check(swift: &Swift, llama: &Path, target: &str, context: &Context) -> CommandLine {
    let root = context.workspace.root();
    let command = [
        "CARGO_HOME=/cargo",
        "CARGO_TARGET_DIR=/cross",
        "IPHONEOS_DEPLOYMENT_TARGET=17.0",
        "RUSTC=/usr/bin/rustc",
        // Debian's compiler is a stable one, and builds the standard library of a target that it does not ship.
        "RUSTC_BOOTSTRAP=1",
        "/usr/bin/cargo",
        "check",
        "--locked",
        "--manifest-path",
        "/work/Cargo.toml",
        "-Zbuild-std=std,panic_unwind",
        "--package",
        "bridge",
        "--target",
        target,
    ];
    swift.run(root, llama, &command.map(str::to_owned))
}

/// The bridge and the sound wrapper are fine, the others fail where they must.
fn verdicts(sheets: &Sheets, answers: &Path, context: &Context) -> Result<Exit> {
    for (who, sheet) in [("bridge", &sheets.bridge), ("sound", &sheets.wrapper)] {
        let exit = judged(who, sheet, answers, context)?;
        if exit != Exit::Fine {
            eprintln!("{who} should be fine, and is not: exit code {}", exit.code());
            return Ok(exit);
        }
    }
    let file = context.workspace.root().join("ios-runner/wrappers.json");
    let mines: Vec<Mine> = serde_json::from_str(&fs::read_to_string(&file)?).context("wrappers.json")?;
    let mut exit = Exit::Fine;
    for mine in &mines {
        quietly(&mine.wrapper, &sheets.wrapper, answers, context)?;
        let report = report_of(&mine.wrapper, context);
        let report =
            fs::read_to_string(&report).with_context(|| format!("cannot read {}", report.display()))?;
        match missed(mine, &report)? {
            None => println!(
                "{}: {} is found by {}, layer {}",
                mine.wrapper,
                mine.finding,
                mine.case,
                mine.blame.name()
            ),
            Some(seen) => {
                eprintln!(
                    "{}: {} should show {} at {}: {seen}",
                    mine.wrapper,
                    mine.case,
                    mine.finding,
                    mine.blame.name()
                );
                exit = Exit::Verdicts;
            }
        }
    }
    Ok(exit)
}

fn report_of(who: &str, context: &Context) -> PathBuf {
    context.workspace.target().join("device/proof").join(format!("{who}.report.json"))
}

/// As [`judged`], without a word: dozens of failures are as they should be. The report of an earlier proof is taken away
/// first, so that it can't stand for one that was not written.
fn quietly(who: &str, sheet: &Path, answers: &Path, context: &Context) -> Result<()> {
    let report = report_of(who, context);
    if report.exists() {
        fs::remove_file(&report).with_context(|| format!("cannot remove {}", report.display()))?;
    }
    let text = |path: &Path| path.display().to_string();
    let args = ["device", "judge", "--subject", who, "--sheet"].map(str::to_owned);
    let line = CommandLine::new(&text(&crate::itself::program()?), args)
        .args([text(sheet), text(&answers.join(who)), "--json".to_owned(), text(&report)])
        .in_folder(context.workspace.root());
    let output =
        line.command(&context.machine)?.output().with_context(|| format!("cannot start `{line}`"))?;
    ensure!(
        report.exists(),
        "`{line}` wrote no report ({}): {}",
        output.status,
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(())
}

fn judged(who: &str, sheet: &Path, answers: &Path, context: &Context) -> Result<Exit> {
    let flags = DeviceJudgeFlags {
        answers: vec![answers.join(who)],
        subject: who.to_owned(),
        sheet: Some(sheet.to_owned()),
        reference: None,
        record: None,
        filter: Vec::new(),
        reports: ReportFlags { json: Some(report_of(who, context)), ..ReportFlags::default() },
    };
    judge::run(&flags, context)
}

#[derive(Deserialize)]
struct Report {
    results: Vec<Told>,
}

#[derive(Deserialize)]
struct Told {
    case: String,
    #[serde(default)]
    findings: Vec<Named>,
    blame: Option<Blamed>,
}

#[derive(Deserialize)]
struct Named {
    code: String,
}

#[derive(Deserialize)]
struct Blamed {
    layer: Layer,
}

/// What came instead of what `mine` must show; `None` where it shows it.
fn missed(mine: &Mine, report: &str) -> Result<Option<String>> {
    let report: Report = serde_json::from_str(report).context("a report of `device judge`")?;
    let Some(told) = report.results.into_iter().find(|told| told.case == mine.case) else {
        return Ok(Some("the case was not asked".to_owned()));
    };
    let codes: Vec<&str> = told.findings.iter().map(|finding| finding.code.as_str()).collect();
    let layer = told.blame.map(|blame| blame.layer);
    let right = codes.contains(&mine.finding.as_str()) && layer == Some(mine.blame);
    Ok((!right).then(|| format!("{} blamed on {}", codes.join(", "), layer.map_or("nothing", Layer::name))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mine_must_show_its_finding_and_be_blamed_on_its_layer() {
        let mine = |finding: &str, blame| Mine {
            wrapper: "w".into(),
            case: "a/b".into(),
            finding: finding.into(),
            blame,
        };
        let report = r#"{"results": [{"case": "a/b", "findings": [{"code": "x", "layer": "stop"}], "blame": {"layer": "stop"}}]}"#;
        let seen = |finding: &str, blame, report: &str| missed(&mine(finding, blame), report).unwrap();
        assert_eq!(seen("x", Layer::Stop, report), None);
        assert_eq!(seen("y", Layer::Stop, report).as_deref(), Some("x blamed on stop"));
        assert_eq!(seen("x", Layer::Load, report).as_deref(), Some("x blamed on stop"));
        assert_eq!(seen("x", Layer::Stop, "{\"results\": []}").as_deref(), Some("the case was not asked"));
        assert!(missed(&mine("x", Layer::Stop), "{}").is_err());
    }
}
