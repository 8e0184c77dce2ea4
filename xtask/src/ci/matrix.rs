//! The jobs of a workflow: which backends, on which runners. All of it follows from the table of backends.

use anyhow::Result;
use judge::closest::did_you_mean;
use serde::Serialize;

use crate::backend::{DeviceFilter, HostCondition, Row, TABLE};
use crate::exit::Exit;
use crate::flags::{MatrixFlags, Runners, System};

/// Backends that nobody has built to the end yet: a job of theirs comes only where it is asked for by name.
const UNTRIED: &[&str] = &["arm64"];

/// One job. Workflows read these fields by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Job {
    /// What people see, and what caches and artefacts are called.
    pub(crate) name: String,
    /// The backend to test.
    pub(crate) backend: &'static str,
    /// Its part of the items, for `test --partition`; empty where it asks all, since only then floors and stale known
    /// failures are told.
    pub(crate) part: String,
    /// GitHub's labels of the runner.
    pub(crate) runs_on: Vec<&'static str>,
}

impl Job {
    /// The job of one of several parts, from 1.
    fn part(&self, part: u16, of: u16) -> Self {
        if of == 1 {
            return self.clone();
        }
        Self { name: format!("{}-{part}", self.name), part: format!("{part}/{of}"), ..self.clone() }
    }
}

/// The jobs that `flags` ask for.
///
/// # Errors
/// An unknown backend is a usage error; so is a choice without any job, which no workflow could run.
pub(crate) fn jobs(flags: &MatrixFlags) -> Result<Vec<Job>> {
    let all = flags.backend == ["all"];
    if let Some(name) = flags.backend.iter().find(|name| !all && TABLE.iter().all(|row| row.name != **name)) {
        let guess = did_you_mean(name, TABLE.iter().map(|row| row.name));
        return Err(
            Exit::Usage.error(format!("no such backend {name:?}{guess}; `cargo xtask doctor` lists all"))
        );
    }
    let named = |row: &&Row| flags.backend.iter().any(|name| name == row.name);
    let rows = TABLE.iter().filter(|row| if all { !UNTRIED.contains(&row.name) } else { named(row) });
    let jobs: Vec<Job> = rows
        .flat_map(|row| [System::Linux, System::Macos].map(|system| (row, system)))
        .filter(|(_, system)| flags.os == System::Any || flags.os == *system)
        .filter_map(|(row, system)| job(row, system, flags.runners))
        .flat_map(|job| (1..=flags.parts).map(move |part| job.part(part, flags.parts)))
        .collect();
    if jobs.is_empty() {
        return Err(Exit::Usage.error(
            "no runner of this kind has one of these backends; leave out --os, --runners or --backend",
        ));
    }
    Ok(jobs)
}

/// The job of `row` on such a runner; `None` where it cannot run, or shows nothing that a cheaper one doesn't.
fn job(row: &Row, system: System, runners: Runners) -> Option<Job> {
    let here = match row.host {
        HostCondition::Any => true,
        HostCondition::Linux | HostCondition::LinuxX86 => system == System::Linux,
        HostCondition::MacOs | HostCondition::AppleSilicon => system == System::Macos,
    };
    let needs_hardware = row.needs_a_vendors_gpu();
    let fits = match (runners, row.devices) {
        (_, DeviceFilter::Carried) => false,
        (Runners::Hosted, _) => !needs_hardware,
        (Runners::SelfHosted, devices) => devices == DeviceFilter::Gpu,
    };
    (here && fits).then(|| Job {
        name: name(row, system, runners),
        backend: row.name,
        part: String::new(),
        runs_on: labels(row, system, runners),
    })
}

fn name(row: &Row, system: System, runners: Runners) -> String {
    let system = if system == System::Linux { "linux" } else { "macos" };
    match runners {
        Runners::Hosted => format!("{system}-{}", row.name),
        Runners::SelfHosted => format!("{system}-{}-device", row.name),
    }
}

/// Hosted Macs are ARM; their GPU is virtual. A runner of one's own has GitHub's labels for its system, and the
/// backend's name by which its owner says what it is for.
fn labels(row: &Row, system: System, runners: Runners) -> Vec<&'static str> {
    match (runners, system) {
        (Runners::Hosted, System::Macos) => vec!["macos-15"],
        // The first whose own Vulkan headers are new enough.
        (Runners::Hosted, _) => vec!["ubuntu-26.04"],
        (Runners::SelfHosted, System::Macos) => vec!["self-hosted", "macOS", row.name],
        (Runners::SelfHosted, _) => vec!["self-hosted", "Linux", row.name],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(os: System, runners: Runners, backend: &[&str]) -> Result<Vec<String>> {
        let backend = backend.iter().map(ToString::to_string).collect();
        let jobs = jobs(&MatrixFlags { os, runners, backend, parts: 1 })?;
        Ok(jobs
            .iter()
            .map(|job| format!("{}: {} on {}", job.name, job.backend, job.runs_on.join(" ")))
            .collect())
    }

    #[test]
    fn every_backend_has_a_job_somewhere_but_the_one_that_is_carried() {
        let anywhere = |row: &&Row| {
            [Runners::Hosted, Runners::SelfHosted]
                .iter()
                .any(|runners| shown(System::Any, *runners, &[row.name]).is_ok())
        };
        let nowhere: Vec<_> = TABLE.iter().filter(|row| !anywhere(row)).map(|row| row.name).collect();
        assert_eq!(nowhere, ["cuda-dl"]);
    }

    #[test]
    fn hosted_runners_have_no_gpu_of_a_vendor() {
        assert_eq!(
            shown(System::Linux, Runners::Hosted, &["cpu", "cuda", "vulkan"]).unwrap(),
            ["linux-cpu: cpu on ubuntu-26.04", "linux-vulkan: vulkan on ubuntu-26.04"]
        );
        assert_eq!(
            shown(System::Macos, Runners::Hosted, &["all"]).unwrap(),
            [
                "macos-cpu: cpu on macos-15",
                "macos-cpu-baseline: cpu-baseline on macos-15",
                "macos-metal: metal on macos-15",
                "macos-ios-sim: ios-sim on macos-15"
            ]
        );
    }

    #[test]
    fn what_nobody_has_built_has_a_job_by_name_alone() {
        let all = shown(System::Linux, Runners::Hosted, &["all"]).unwrap();
        assert!(!all.iter().any(|job| job.contains("arm64")), "{all:?}");
        assert_eq!(
            shown(System::Linux, Runners::Hosted, &["arm64"]).unwrap(),
            ["linux-arm64: arm64 on ubuntu-26.04"]
        );
    }

    #[test]
    fn runners_of_ones_own_are_for_gpus() {
        assert_eq!(
            shown(System::Any, Runners::SelfHosted, &["cpu", "cuda", "metal"]).unwrap(),
            [
                "linux-cuda-device: cuda on self-hosted Linux cuda",
                "macos-metal-device: metal on self-hosted macOS metal"
            ]
        );
    }

    #[test]
    fn names_are_unique() {
        for runners in [Runners::Hosted, Runners::SelfHosted] {
            let jobs = shown(System::Any, runners, &["all"]).unwrap();
            assert!(jobs.len() > 2);
            assert!(jobs.iter().enumerate().all(|(index, job)| !jobs[..index].contains(job)), "{jobs:?}");
        }
    }

    #[test]
    fn parts_have_names_of_their_own() {
        let flags = |parts| MatrixFlags {
            os: System::Linux,
            runners: Runners::Hosted,
            backend: vec!["cpu".to_owned(), "vulkan".to_owned()],
            parts,
        };
        let shown = |parts| -> Vec<String> {
            jobs(&flags(parts)).unwrap().iter().map(|job| format!("{} {}", job.name, job.part)).collect()
        };
        assert_eq!(shown(1), ["linux-cpu ", "linux-vulkan "]);
        assert_eq!(
            shown(2),
            ["linux-cpu-1 1/2", "linux-cpu-2 2/2", "linux-vulkan-1 1/2", "linux-vulkan-2 2/2"]
        );
    }

    #[test]
    fn what_no_workflow_could_run_is_an_error() {
        for (os, backend, said) in [
            (System::Any, "vulcan", "no such backend \"vulcan\""),
            (System::Macos, "vulkan", "no runner of this kind"),
            (System::Any, "cuda-dl", "no runner of this kind"),
        ] {
            let error = shown(os, Runners::Hosted, &[backend]).unwrap_err();
            assert_eq!(Exit::of(&error), Exit::Usage);
            assert!(error.to_string().starts_with(said), "{error}");
        }
    }

    #[test]
    fn the_fields_are_those_that_workflows_read() {
        let text = include_str!("../../../.github/workflows/suite.yml");
        let job = jobs(&MatrixFlags {
            os: System::Linux,
            runners: Runners::Hosted,
            backend: vec!["cpu".to_owned()],
            parts: 1,
        });
        let value = serde_json::to_value(&job.unwrap()[0]).unwrap();
        let has: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
        let word =
            |rest: &str| rest.split(|c: char| !c.is_ascii_lowercase() && c != '_').next().unwrap().to_owned();
        let mut read: Vec<String> = text.split("matrix.job.").skip(1).map(word).collect();
        read.sort();
        read.dedup();
        let mut has: Vec<&str> = has;
        has.sort_unstable();
        assert_eq!(read, has);
    }
}
