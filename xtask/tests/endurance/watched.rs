//! A case that is watched is asked again when its file changes, and when its probe does.

use std::io::Write as _;

use libtest_mimic::Trial;
use rustix::process::Signal;
use serde_json::json;

use crate::stage::{Meeting, Stage};
use crate::trial;

pub(crate) fn trials() -> Vec<Trial> {
    vec![trial("watched", "asks-again", every_change_asks_again), trial("watched", "unknown", no_such_case)]
}

/// Each round has its own meeting place, so that nobody can come too early.
fn every_change_asks_again() {
    let meetings = [Meeting::new(), Meeting::new(), Meeting::new()];
    let stage = Stage::new(&[("a", &meetings[0].deed()), ("b", "abort")]);
    let running = stage.start(&["test", "--watch", "eog/a", "--jobs", "1"]);
    meetings[0].join().write_all(b"!").expect("a probe");
    // In the middle of a run or after it: either counts.
    stage.case("a", &meetings[1].deed(), &json!({}));
    meetings[1].join().write_all(b"!").expect("a probe");
    // What cannot be read is told, and the next change mends it.
    stage.project.write("cases/eog/a.json", "{");
    stage.case("a", &meetings[2].deed(), &json!({}));
    meetings[2].join().write_all(b"!").expect("a probe");
    // The same question to another probe.
    let probe = stage.path("target/probe/cpu/release/probe");
    let text = std::fs::read_to_string(&probe).expect("a script");
    std::fs::write(stage.path("new"), format!("{text}\n# another\n")).expect("a file");
    std::fs::set_permissions(stage.path("new"), probe.metadata().expect("a file").permissions())
        .expect("a file");
    std::fs::rename(stage.path("new"), &probe).expect("a file");
    let asked = meetings[2].join();
    running.signal(Signal::INT);
    let answer = running.end();
    drop(asked);
    assert_eq!(answer.code, 130, "{answer:#?}");
    assert!(answer.stdout.contains("watching eog/a; Ctrl-C ends it"), "{answer:#?}");
    assert!(answer.stdout.contains("changed: cases/eog/a.json"), "{answer:#?}");
    assert!(answer.stdout.contains("changed: target/probe/cpu/release/probe"), "{answer:#?}");
    assert!(!answer.stdout.contains("eog/b"), "{answer:#?}");
    stage.alive.await_end();
}

fn no_such_case() {
    let stage = Stage::new(&[("a", "pass")]);
    stage.run(&["test", "--watch", "eog/aa"]).assert_error(6, &["no case fits --filter eog/aa"]);
    let both = stage.run(&["test", "--watch", "eog/a", "--filter", "eog/*"]);
    assert_eq!(both.code, 2, "{both:#?}");
}
