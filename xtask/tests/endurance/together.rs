//! Two runs in one checkout at once.

use std::io::Write as _;

use libtest_mimic::Trial;

use crate::stage::{Meeting, Stage, outcomes};
use crate::trial;

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("together", "two-runs", two_runs_do_not_meet),
        trial("together", "one-recording", a_recording_belongs_to_one_run),
    ]
}

fn two_runs_do_not_meet() {
    let meeting = Meeting::new();
    let stage = Stage::new(&[("a", "pass"), ("b", &meeting.deed()), ("c", "pass")]);
    let names = [("report-1", "recording-1"), ("report-2", "recording-2")];
    let runs = names.map(|(report, recording)| {
        stage.start(&["test", "--json", report, "--record", recording, "--jobs", "1"])
    });
    for mut asked in [meeting.join(), meeting.join()] {
        asked.write_all(b".").expect("a probe that waits");
    }
    for (running, (report, recording)) in runs.into_iter().zip(names) {
        let answer = running.end();
        assert_eq!(answer.code, 0, "{answer:#?}");
        let passed = [("eog/a", "pass"), ("eog/b", "pass"), ("eog/c", "pass")];
        assert_eq!(outcomes(&stage.report(report)), passed);
        let answer = stage.run(&["judge", recording, "--json", report]);
        assert_eq!(answer.code, 0, "{answer:#?}");
        assert_eq!(outcomes(&stage.report(report)), passed);
    }
    stage.alive.await_end();
}

fn a_recording_belongs_to_one_run() {
    let meeting = Meeting::new();
    let stage = Stage::new(&[("a", &meeting.deed())]);
    let first = stage.start(&["test", "--record", "recording"]);
    let mut asked = meeting.join();
    let second = stage.run(&["test", "--record", "recording"]);
    second.assert_error(3, &["recording is not empty", "name a new folder"]);
    asked.write_all(b".").expect("a probe that waits");
    let answer = first.end();
    assert_eq!(answer.code, 0, "{answer:#?}");
    assert_eq!(stage.run(&["judge", "recording"]).code, 0);
}
