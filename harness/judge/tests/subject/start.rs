//! Failures to start: the harness's own, each naming the program, what was seen, and the cure.

use std::path::PathBuf;
use std::time::Duration;

use judge::subject::{KEPT_ENVIRONMENT, Launch, Pool, Subject, SubjectError, Worker};
use libtest_mimic::Trial;
use wire::Ending;

use crate::ask::{PATIENT, SHORT, key, launch, request, trial};
use crate::fake;

const FAILURES: [(&str, &str, Duration); 6] = [
    ("dies", "never got ready: it ended with exit status: 7", PATIENT),
    ("mute", "never got ready: no ready frame came within 300 ms", SHORT),
    ("babbles", "never got ready: not a frame: ", PATIENT),
    ("deep", "never got ready: not a frame: recursion limit exceeded", PATIENT),
    ("hasty", "never got ready: it began with a reply to request 1", PATIENT),
    ("foreign", "speaks protocol 4711, this harness speaks 1", PATIENT),
];

pub(crate) fn trials() -> Vec<Trial> {
    let failures = FAILURES.iter().map(|&(role, message, deadline)| {
        trial(format!("start::{role}"), move || fails(role, message, deadline))
    });
    let others: [(&str, fn()); 4] = [
        ("missing", a_missing_program_is_named),
        ("not-executable", what_is_no_program_is_named),
        ("card", the_card_is_the_ready_frames),
        ("environment", the_environment_is_clean),
    ];
    failures.chain(others.map(|(name, run)| trial(format!("start::{name}"), run))).collect()
}

fn fails(role: &str, message: &str, deadline: Duration) {
    let launch = launch(role);
    let error = Worker::spawn(&launch, deadline).err().expect("a failure");
    let text = error.to_string();
    let program = launch.program.to_string_lossy();
    for part in [message, &program, "`cargo xtask build --backend NAME`"] {
        assert!(text.contains(part), "{text:?} does not say {part:?}");
    }
    if let SubjectError::NotReady { log_tail, .. } = &error {
        assert_eq!(*log_tail, [format!("fake subject: {role}")]);
        assert!(text.ends_with(&format!("\n  fake subject: {role}")), "{text:?}");
    }
    // The pool fails in the same words and is none the worse for it.
    if deadline == PATIENT {
        let pool = Pool::new(1);
        let same = pool.observe(&key("fake"), &launch, &request(1, "pass"), PATIENT).expect_err("a failure");
        assert_eq!(same.to_string(), text);
        pool.observe(&key("fake"), &crate::ask::launch("serve"), &request(2, "pass"), PATIENT)
            .expect("an answer");
    }
}

fn a_missing_program_is_named() {
    let missing =
        Launch { program: PathBuf::from("/nowhere/probe"), args: vec!["serve".to_owned()], env: vec![] };
    let error = Worker::spawn(&missing, PATIENT).err().expect("a failure");
    assert_eq!(
        error.to_string(),
        "no such program: /nowhere/probe serve; build the probe with `cargo xtask build --backend NAME`"
    );
}

fn what_is_no_program_is_named() {
    let folder = Launch { program: std::env::temp_dir(), args: vec![], env: vec![] };
    let error = Worker::spawn(&folder, PATIENT).err().expect("a failure");
    assert!(matches!(error, SubjectError::Spawn { .. }), "{error}");
}

fn the_card_is_the_ready_frames() {
    let worker = Worker::spawn(&launch("serve"), PATIENT).expect("a worker");
    assert_eq!(*worker.card(), fake::card());
}

fn the_environment_is_clean() {
    let mut worker = Worker::spawn(&launch("serve"), PATIENT).expect("a worker");
    let seen = worker.observe(&request(1, "environment"), PATIENT).expect("an observation");
    assert_eq!(seen.ending, Ending::Completed);
    assert!(seen.log_tail.iter().any(|name| name == "PATH"), "{seen:?}");
    let strangers: Vec<&String> = seen
        .log_tail
        .iter()
        .filter(|name| *name != fake::ROLE && !KEPT_ENVIRONMENT.contains(&name.as_str()))
        .collect();
    assert!(strangers.is_empty(), "{strangers:?} came along");
    // Cargo gives every test this one: the filter above had something to catch.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
}
