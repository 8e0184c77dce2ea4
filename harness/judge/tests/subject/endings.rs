//! Every way to break off: what it is called, what it leaves behind, and that the next item is served.

use std::time::Duration;

use judge::subject::{LOG_LINE_CHARS, Launch, Pool, Subject, SubjectError, Worker};
use libtest_mimic::Trial;
use wire::{Ending, Observation};

use crate::ask::{
    FAIR, PATIENT, SHORT, assert_reaped, await_end, key, launch, launch_after, request, told_pid, trial,
};

/// How an ending must look.
#[derive(Clone, Copy)]
enum Expect {
    Died { signal: Option<i32>, exit_code: Option<i32> },
    Hung,
    Garbled { problem: &'static str, excerpt: &'static str },
}

const BROKEN: [(&str, Expect, Duration); 16] = [
    ("abort", Expect::Died { signal: Some(6), exit_code: None }, PATIENT),
    ("kill", Expect::Died { signal: Some(9), exit_code: None }, PATIENT),
    ("segfault", Expect::Died { signal: Some(11), exit_code: None }, PATIENT),
    ("illegal", Expect::Died { signal: Some(4), exit_code: None }, PATIENT),
    ("exit 3", Expect::Died { signal: None, exit_code: Some(3) }, PATIENT),
    ("exit 0", Expect::Died { signal: None, exit_code: Some(0) }, PATIENT),
    ("half-abort", Expect::Died { signal: Some(6), exit_code: None }, PATIENT),
    ("hang", Expect::Hung, SHORT),
    ("half-hang", Expect::Hung, SHORT),
    (
        "half-exit",
        Expect::Garbled { problem: "exited inside a frame", excerpt: "{\"reply\":{\"id\":1,\"obs" },
        PATIENT,
    ),
    ("babble", Expect::Garbled { problem: "not a frame", excerpt: "ggml_metal_init" }, PATIENT),
    (
        "deep",
        Expect::Garbled { problem: "not a frame", excerpt: "{\"reply\":{\"id\":1,\"observation\":[[" },
        PATIENT,
    ),
    ("huge", Expect::Garbled { problem: "longer than 67108864 bytes", excerpt: "xxxx" }, PATIENT),
    (
        "wrong-id",
        Expect::Garbled { problem: "a reply to request 1001, while request 1 was asked", excerpt: "" },
        PATIENT,
    ),
    ("ready-again", Expect::Garbled { problem: "a second ready frame", excerpt: "" }, PATIENT),
    ("close-stdout", Expect::Garbled { problem: "standard output was closed", excerpt: "" }, FAIR),
];

pub(crate) fn trials() -> Vec<Trial> {
    let broken = BROKEN.iter().map(|&(deed, expect, deadline)| {
        trial(format!("endings::{deed}"), move || costs_one_item(deed, expect, deadline))
    });
    let others: [(&str, fn()); 9] = [
        ("twice", a_second_reply_is_garbled),
        ("slow", slow_is_not_hung),
        ("flood", a_flooded_log_is_bounded),
        ("answer-and-exit", an_answer_counts_though_the_process_exits),
        ("ignores-term", a_worker_that_ignores_everything_is_killed),
        ("leave", what_it_left_in_its_group_is_killed),
        ("deaf", a_closed_standard_input_is_an_observation),
        ("unread", a_request_that_nobody_reads_meets_the_deadline),
        ("big", a_big_request_arrives),
    ];
    broken.chain(others.map(|(name, run)| trial(format!("endings::{name}"), run))).collect()
}

fn costs_one_item(deed: &str, expect: Expect, deadline: Duration) {
    let pool = Pool::new(1);
    let ask = |id, deed, deadline| {
        let answer = pool.observe(&key("fake"), &launch("serve"), &request(id, deed), deadline);
        answer.expect("an observation").0
    };
    let first = ask(0, "pass", PATIENT);
    let broken = ask(1, deed, deadline);
    assert_ending(&broken, expect, deadline);
    assert_reaped(told_pid(&first));
    let name = deed.split(' ').next().unwrap_or(deed);
    assert!(broken.log_tail.contains(&format!("fake subject is asked to {name}")), "{broken:?}");
    assert!(
        !broken.log_tail.iter().any(|line| line.ends_with("pass")),
        "an earlier request's log: {broken:?}"
    );
    let next = ask(2, "pass", PATIENT);
    assert_eq!(next.ending, Ending::Completed);
    assert_ne!(told_pid(&next), told_pid(&first), "the next item got the broken worker");
}

#[track_caller]
fn assert_ending(observation: &Observation, expect: Expect, deadline: Duration) {
    match (&observation.ending, expect) {
        (Ending::Garbled { problem, excerpt }, Expect::Garbled { problem: part, excerpt: begin }) => {
            assert!(problem.contains(part), "{problem:?} does not say {part:?}");
            assert!(excerpt.starts_with(begin), "{excerpt:?} does not begin with {begin:?}");
        }
        (ending, Expect::Died { signal, exit_code }) => {
            assert_eq!(*ending, Ending::Died { signal, exit_code });
        }
        (ending, Expect::Hung) => {
            assert_eq!(
                *ending,
                Ending::Hung { deadline_ms: u64::try_from(deadline.as_millis()).expect("short") }
            );
        }
        (ending, Expect::Garbled { problem, .. }) => panic!("{ending:?} is not garbled: {problem}"),
    }
}

fn spawn(launch: &Launch) -> Worker {
    Worker::spawn(launch, PATIENT).expect("a worker")
}

#[track_caller]
fn observe(worker: &mut Worker, id: u64, deed: &str, deadline: Duration) -> Observation {
    worker.observe(&request(id, deed), deadline).expect("an observation")
}

fn a_second_reply_is_garbled() {
    let mut worker = spawn(&launch("serve"));
    assert_eq!(observe(&mut worker, 1, "twice", PATIENT).ending, Ending::Completed);
    let next = observe(&mut worker, 2, "hang", PATIENT);
    assert_ending(&next, Expect::Garbled { problem: "a reply to request 1, while", excerpt: "" }, PATIENT);
    assert_reaped(worker.pid());
    let again = worker.observe(&request(3, "pass"), PATIENT);
    assert!(matches!(again, Err(SubjectError::NotRunning { .. })), "{again:?}");
}

fn slow_is_not_hung() {
    let mut worker = spawn(&launch("serve"));
    assert_eq!(observe(&mut worker, 1, "slow", PATIENT).ending, Ending::Completed);
    assert!(worker.is_alive());
}

fn a_flooded_log_is_bounded() {
    let mut worker = spawn(&launch("serve"));
    assert_eq!(observe(&mut worker, 1, "flood", PATIENT).ending, Ending::Completed);
    let broken = observe(&mut worker, 2, "abort", PATIENT);
    assert!(broken.log_tail.iter().all(|line| line.chars().count() <= LOG_LINE_CHARS + 1));
    assert_ending(&broken, Expect::Died { signal: Some(6), exit_code: None }, PATIENT);
}

/// Whichever comes first, the reply or the news of the exit.
fn an_answer_counts_though_the_process_exits() {
    for id in 0..20 {
        let mut worker = spawn(&launch("serve"));
        assert_eq!(observe(&mut worker, id, "answer-and-exit", PATIENT).ending, Ending::Completed);
    }
}

fn a_worker_that_ignores_everything_is_killed() {
    let worker = spawn(&launch_after("trap '' TERM INT HUP", "clinging"));
    let pid = worker.pid();
    assert!(worker.is_alive());
    drop(worker);
    assert_reaped(pid);
}

fn what_it_left_in_its_group_is_killed() {
    let mut worker = spawn(&launch("serve"));
    let broken = observe(&mut worker, 1, "leave", PATIENT);
    assert_ending(&broken, Expect::Died { signal: Some(9), exit_code: None }, PATIENT);
    await_end(told_pid(&broken));
}

fn a_closed_standard_input_is_an_observation() {
    let mut worker = spawn(&launch_after("exec 0<&-", "deaf"));
    let broken = observe(&mut worker, 1, "pass", FAIR);
    assert_ending(&broken, Expect::Garbled { problem: "standard input was closed", excerpt: "" }, PATIENT);
    assert_reaped(worker.pid());
}

fn a_request_that_nobody_reads_meets_the_deadline() {
    let mut worker = spawn(&launch("deaf"));
    let big = format!("pass {}", "x".repeat(8 << 20));
    assert_ending(&observe(&mut worker, 1, &big, SHORT), Expect::Hung, SHORT);
    assert_reaped(worker.pid());
}

fn a_big_request_arrives() {
    let mut worker = spawn(&launch("serve"));
    let big = format!("pass {}", "x".repeat(8 << 20));
    assert_eq!(observe(&mut worker, 1, &big, PATIENT).ending, Ending::Completed);
}
