//! kill -9 of the harness: no half file, no orphan, and the next run is none the wiser.

use std::fs;
use std::path::Path;

use judge::subject::Recording;
use libtest_mimic::Trial;
use rustix::process::Signal;

use crate::stage::{Meeting, Stage, read_json};
use crate::trial;

/// How many steps the harness is given between an answer and its death: none to a few hundred milliseconds' worth, so
/// that death comes while it judges, records, asks on, ends its probes, or writes its report.
const STEPS: [u64; 8] = [0, 1_000, 10_000, 50_000, 200_000, 1_000_000, 5_000_000, 20_000_000];

pub(crate) fn trials() -> Vec<Trial> {
    let after = STEPS.map(|steps| {
        Trial::test(format!("killed::after-{steps}-steps"), move || {
            leaves_no_half_file(steps);
            Ok(())
        })
    });
    let asking = trial("killed", "while-asking", leaves_no_orphan);
    after.into_iter().chain([asking]).collect()
}

fn leaves_no_half_file(steps: u64) {
    let names: Vec<String> = (0..24).map(|number| format!("{number:02}")).collect();
    let mut deeds: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "pass")).collect();
    let kill = format!("kill-harness {steps}");
    deeds[8] = ("08-kills", &kill);
    deeds[9] = ("09", "big-log");
    let stage = Stage::new(&deeds);
    stage.run(&["test", "--json", "report", "--record", "recording", "--jobs", "1"]);
    whole(stage.project.root().as_path());
    let recording = Recording::open(stage.path("recording")).expect("a recording");
    let nothing = recording.items().expect("whole items").is_empty();
    let answer = stage.run(&["judge", "recording"]);
    assert_eq!(answer.code, if nothing { 6 } else { 0 }, "{answer:#?}");
    let answer = stage.run(&["test", "--json", "report", "--filter", "eog/??"]);
    assert_eq!(answer.code, 0, "{answer:#?}");
    assert_eq!(stage.report("report")["totals"]["passed"], 23);
    stage.alive.await_end();
}

/// Every file below `folder` that has its name is whole; what is unfinished is hidden.
fn whole(folder: &Path) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            whole(&path);
        } else if path.extension().is_some_and(|extension| extension == "json") || name == "report" {
            assert!(name.starts_with('.') || !read_json(&path).is_null());
        }
    }
}

/// Two probes at work: each of them sees the end of its own standard input, and no other holds it open.
fn leaves_no_orphan() {
    let meeting = Meeting::new();
    let mut stage = Stage::new(&[("a", &meeting.deed()), ("b", &meeting.deed())]);
    let running = stage.start(&["test", "--jobs", "2"]);
    let _asked = (meeting.join(), meeting.join());
    assert_ne!(stage.alive.next(), stage.alive.next());
    running.signal(Signal::KILL);
    assert_eq!(running.end().code, -1);
    stage.alive.await_end();
}
