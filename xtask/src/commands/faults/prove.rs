//! One fault at a time in a healthy subject.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use anyhow::Result;
use judge::built::SubjectFile;
use judge::closest::did_you_mean;
use judge::faults::{
    FaultEntry, FaultPlan, FaultReport, FaultSessions, FaultSubjects, read_faults, run_faults, run_seeds,
};
use judge::session::SessionOptions;
use judge::setup::{Folders, Suite};

use super::table;
use crate::ci::Tally;
use crate::command_line::CommandLine;
use crate::commands::verdicts::{jobs, keep_inputs};
use crate::commands::{build, fixtures};
use crate::context::Context;
use crate::exit::{Exit, OrExit as _};
use crate::flags::{BackendFlags, FaultsFlags};
use crate::json_file::JsonFile;

/// How long a subject may take that never answers.
const HASTY: Duration = Duration::from_secs(3);

/// `cargo xtask faults`
pub(in crate::commands) fn run(flags: &FaultsFlags, context: &Context) -> Result<Exit> {
    prove(flags, context).map(|(exit, _)| exit)
}

/// Proves it, prints what came of it, and counts: rows of the table, and what the healthy subject was asked.
pub(in crate::commands) fn prove(flags: &FaultsFlags, context: &Context) -> Result<(Exit, Tally)> {
    let report = ask(flags, context)?;
    print!("{}", table::text(&report));
    let wrong = report.wrong_rows().count() + report.healthy.alarms.len() + report.seeds.alarms.len();
    let counts = Tally {
        passed: (report.rows.len() + report.healthy.items + report.seeds.answers - wrong) as u64,
        failed: wrong as u64,
        skipped: report.skipped.len() as u64,
    };
    Ok((if report.is_fine() { Exit::Fine } else { Exit::Verdicts }, counts))
}

/// Builds the subject, asks it healthy and under each fault, and writes the report for programs.
fn ask(flags: &FaultsFlags, context: &Context) -> Result<FaultReport> {
    let folders = Folders::of_workspace(context.workspace.root());
    let suite = Suite::read(&folders).or_exit(Exit::Input)?;
    keep_inputs(flags.json.as_deref(), &folders, [])?;
    let json = JsonFile::create(flags.json.as_deref())?;
    let entries = read_faults(&folders.cases().join("faults.json")).or_exit(Exit::Input)?;
    let backends = BackendFlags { backend: vec![flags.backend.clone()], llama_src: None, setup: flags.setup };
    let subject = build::subjects(&backends, context)?
        .pop()
        .ok_or_else(|| Exit::Missing.error(format!("{} cannot be built here", flags.backend)))?;
    fixtures::write_those(&suite.models(&folders, &[]).or_exit(Exit::Input)?, context)?;
    complete(&entries, &subject, context)?;
    let entries = chosen(entries, &flags.fault)?;
    let start = Instant::now();
    let faulty = |name: &str| subject.target(&["--fault", name]);
    let subjects = FaultSubjects { healthy: subject.target(&[]), faulty: &faulty };
    let plan = FaultPlan::new(&entries, &suite, &folders, &subjects).or_exit(Exit::Input)?;
    let jobs = jobs(flags.jobs);
    let session = |deadline: Duration| {
        // More than there are jobs: the questions of one fault must meet the same worker.
        let options = SessionOptions { deadline, idle_workers: 4 * jobs, ..SessionOptions::default() };
        suite.session(&folders, options, false)
    };
    let sessions =
        FaultSessions { patient: session(SessionOptions::default().deadline), hasty: session(HASTY) };
    let (healthy, rows) = run_faults(&plan, &sessions, jobs);
    let all = suite.plan(&folders, &[], &[subjects.healthy.into()], &[]).or_exit(Exit::Input)?;
    let seeds = run_seeds(&all.items, &sessions.patient, flags.seeds as usize, jobs).or_exit(Exit::Broken)?;
    let report = FaultReport {
        version: FaultReport::VERSION,
        subject: subject.backend.clone(),
        rows,
        skipped: plan.skipped,
        exceptions: FaultReport::exceptions(&entries),
        healthy,
        seeds,
        seconds: start.elapsed().as_secs_f64(),
    };
    json.map_or(Ok(()), |json| json.write(&report))?;
    Ok(report)
}

/// Every fault of the probe stands in faults.json, and no other.
fn complete(entries: &[FaultEntry], subject: &SubjectFile, context: &Context) -> Result<()> {
    let launch = subject.launch.launch(&subject.path, &["faults"]);
    let line = CommandLine::new(&launch.program.display().to_string(), launch.args);
    let listed = launch.env.into_iter().fold(line, |line, (key, value)| line.env(key, value));
    let listed = listed.capture(&context.machine, Exit::Broken)?;
    let problems = differences(entries, &listed);
    if problems.is_empty() { Ok(()) } else { Err(Exit::Input.error(problems.join("; "))) }
}

/// What is wrong between faults.json and a probe's list: one fault a line, its name first.
fn differences(entries: &[FaultEntry], listed: &str) -> Vec<String> {
    let known: BTreeSet<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let stated: BTreeSet<&str> = entries.iter().map(|entry| entry.fault.as_str()).collect();
    let missing = known
        .difference(&stated)
        .map(|fault| format!("cases/faults.json lacks the fault {fault}; state what it must be blamed with"));
    let unknown = stated
        .difference(&known)
        .map(|fault| format!("cases/faults.json names {fault}, which the probe does not know; remove it"));
    missing.chain(unknown).collect()
}

fn chosen(mut entries: Vec<FaultEntry>, wanted: &[String]) -> Result<Vec<FaultEntry>> {
    if let Some(unknown) = wanted.iter().find(|name| !entries.iter().any(|entry| entry.fault == **name)) {
        let guess = did_you_mean(unknown, entries.iter().map(|entry| entry.fault.as_str()));
        return Err(
            Exit::Usage.error(format!("no fault is called {unknown}{guess}; cases/faults.json lists them"))
        );
    }
    entries.retain(|entry| wanted.is_empty() || wanted.contains(&entry.fault));
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(names: &[&str]) -> Vec<FaultEntry> {
        let entry = |name: &&str| {
            let value = serde_json::json!({"fault": name, "broken": "x", "shown_on": [{"case": "*"}]});
            serde_json::from_value(value).unwrap()
        };
        names.iter().map(entry).collect()
    }

    #[test]
    fn the_list_must_be_the_probes_own() {
        let listed = "abort    it aborts\nslow     it is slow\n";
        assert_eq!(differences(&entries(&["abort", "slow"]), listed), Vec::<String>::new());
        assert_eq!(
            differences(&entries(&["abort", "gone"]), listed),
            [
                "cases/faults.json lacks the fault slow; state what it must be blamed with",
                "cases/faults.json names gone, which the probe does not know; remove it"
            ]
        );
    }

    #[test]
    fn some_faults_can_be_chosen_by_name() {
        let names = |wanted: &[&str]| {
            let wanted: Vec<String> = wanted.iter().map(ToString::to_string).collect();
            chosen(entries(&["a", "b"]), &wanted).map(|entries| entries.len())
        };
        assert_eq!(names(&[]).unwrap(), 2);
        assert_eq!(names(&["b"]).unwrap(), 1);
        assert_eq!(Exit::of(&names(&["c"]).unwrap_err()), Exit::Usage);
    }
}
