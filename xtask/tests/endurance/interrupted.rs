//! Ctrl-C: once ends the run with a report of what ran, twice ends everything.

use std::fs::{self, File};
use std::io::Read as _;

use libtest_mimic::Trial;
use rustix::process::Signal;

use crate::alive::{await_input, make_pipe};
use crate::fake::BIG;
use crate::stage::{Meeting, Stage, outcomes};
use crate::trial;

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("interrupted", "once", once_reports_what_ran),
        trial("interrupted", "terminated", a_request_to_terminate_is_heard_too),
        trial("interrupted", "twice", twice_ends_everything),
    ]
}

fn once_reports_what_ran() {
    reports_what_ran(Signal::INT);
}

fn a_request_to_terminate_is_heard_too() {
    reports_what_ran(Signal::TERM);
}

fn reports_what_ran(signal: Signal) {
    let meeting = Meeting::new();
    let stage = Stage::new(&[("a", "pass"), ("b", "abort"), ("c", &meeting.deed()), ("d", "pass")]);
    let running = stage.start(&["test", "--json", "report", "--record", "recording", "--jobs", "1"]);
    let _asked = meeting.join();
    running.signal(signal);
    let answer = running.end();
    assert_eq!(answer.code, 130, "{answer:#?}");
    assert!(answer.stdout.contains("interrupted: 1 passed, 1 failed"), "{answer:#?}");
    let report = stage.report("report");
    assert_eq!(report["interrupted"], true);
    assert_eq!(outcomes(&report), [("eog/a", "pass"), ("eog/b", "fail")]);
    let answer = stage.run(&["judge", "recording", "--json", "judged"]);
    assert_eq!(answer.code, 1, "{answer:#?}");
    let judged = stage.report("judged");
    let expect = [("eog/a", "pass"), ("eog/b", "fail"), ("eog/c", "skip"), ("eog/d", "skip")];
    assert_eq!(outcomes(&judged), expect);
    // What is left of it passes, and is too little to be a success.
    fs::remove_file(stage.path("cases/eog/b.json")).expect("a case");
    assert_eq!(stage.run(&["judge", "recording"]).code, 0);
    stage.project.write("cases/floors.json", r#"{"cpu": 2}"#);
    stage.run(&["judge", "recording"]).assert_error(6, &["only 1 items would run on cpu, and 2 must"]);
    stage.alive.await_end();
}

/// The first leaves the program waiting for somebody to read its report, which is larger than the pipe.
fn twice_ends_everything() {
    const { assert!(BIG > 64 * 1024) }
    let meeting = Meeting::new();
    let stage = Stage::new(&[("a", "big-refusal"), ("b", &meeting.deed())]);
    let path = stage.path("pipe");
    make_pipe(&path);
    // Open in both directions: so neither side waits for the other to come.
    let mut pipe = File::options().read(true).write(true).open(&path).expect("a pipe");
    let running = stage.start(&["test", "--json", "pipe", "--jobs", "1"]);
    let _asked = meeting.join();
    running.signal(Signal::INT);
    await_input(&pipe, "no report comes");
    running.signal(Signal::INT);
    let answer = running.end();
    assert_eq!(answer.code, 130, "{answer:#?}");
    let mut begun = vec![0; 64];
    pipe.read_exact(&mut begun).expect("the report's beginning");
    assert!(begun.starts_with(b"{\n"), "{begun:?}");
    stage.alive.await_end();
}
