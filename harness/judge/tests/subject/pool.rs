//! Workers that are kept, evicted, shared out among threads, and interrupted.

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::thread;

use judge::subject::{Pool, SubjectError, WorkerKey};
use libtest_mimic::Trial;
use wire::{Ending, Limits, Observation};

use crate::ask::{PATIENT, assert_reaped, key, launch, request, told_pid, trial};

pub(crate) fn trials() -> Vec<Trial> {
    let all: [(&str, fn()); 9] = [
        ("reuse", the_same_key_gets_the_same_worker),
        ("another-model", the_longest_unused_worker_is_given_the_next_model),
        ("eviction", the_longest_unused_worker_goes),
        ("limits", a_worker_with_limits_serves_once),
        ("dead-idle", a_worker_that_died_waiting_is_replaced),
        ("threads", threads_share_the_workers_out),
        ("dropped", a_dropped_pool_leaves_nobody),
        ("interrupted-in-flight", kill_all_ends_a_request_in_flight),
        ("interrupted-start", kill_all_ends_a_start),
    ];
    all.map(|(name, run)| trial(format!("pool::{name}"), run)).into()
}

#[track_caller]
fn pass(pool: &Pool, key: &WorkerKey) -> Observation {
    let (observation, card) =
        pool.observe(key, &launch("serve"), &request(1, "pass"), PATIENT).expect("an answer");
    assert_eq!((observation.ending.clone(), observation.loads), (Ending::Completed, 1));
    assert_eq!(card, crate::fake::card());
    observation
}

fn the_same_key_gets_the_same_worker() {
    let pool = Pool::new(2);
    let (a, b) = (told_pid(&pass(&pool, &key("a"))), told_pid(&pass(&pool, &key("b"))));
    assert_ne!(a, b);
    assert_eq!((told_pid(&pass(&pool, &key("a"))), told_pid(&pass(&pool, &key("b")))), (a, b));
    assert_eq!(pool.idle(), 2);
}

fn the_longest_unused_worker_is_given_the_next_model() {
    let pool = Pool::new(2);
    let (a, b) = (told_pid(&pass(&pool, &key("a"))), told_pid(&pass(&pool, &key("b"))));
    assert_eq!(told_pid(&pass(&pool, &key("a"))), a);
    assert_eq!(told_pid(&pass(&pool, &key("c"))), b);
    assert_eq!(told_pid(&pass(&pool, &key("a"))), a);
    // Now it is a worker of `c`, and `b` is another model to it.
    assert_eq!(told_pid(&pass(&pool, &key("c"))), b);
    assert_eq!(pool.idle(), 2);
}

fn the_longest_unused_worker_goes() {
    let pool = Pool::new(1);
    let first = told_pid(&pass(&pool, &key("a")));
    let mut other = launch("serve");
    other.env.push(("OTHER".into(), "1".into()));
    let answer = pool.observe(&key("a"), &other, &request(1, "pass"), PATIENT).expect("an answer");
    assert_ne!(told_pid(&answer.0), first, "another launch is another process");
    assert_reaped(first);
    let none = Pool::new(0);
    assert_reaped(told_pid(&pass(&none, &key("a"))));
}

fn a_worker_with_limits_serves_once() {
    let pool = Pool::new(2);
    let limits = Limits { address_space: Some(1 << 40), balloon: None };
    let limited = WorkerKey { limits, ..key("a") };
    let first = told_pid(&pass(&pool, &limited));
    assert_reaped(first);
    assert_eq!(pool.idle(), 0);
    assert_ne!(told_pid(&pass(&pool, &limited)), first);
}

fn a_worker_that_died_waiting_is_replaced() {
    let pool = Pool::new(1);
    let first = told_pid(&pass(&pool, &key("a")));
    let pid = rustix::process::Pid::from_raw(first.cast_signed()).expect("a process id");
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("a signal");
    crate::ask::await_end(first);
    assert_ne!(told_pid(&pass(&pool, &key("a"))), first);
}

fn threads_share_the_workers_out() {
    let pool = Pool::new(4);
    let ask = || {
        let mut seen = BTreeSet::new();
        for round in 0..25 {
            seen.insert(told_pid(&pass(&pool, &key(if round % 2 == 0 { "a" } else { "b" }))));
        }
        seen
    };
    let seen: BTreeSet<u32> = thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a thread")).collect()
    });
    assert!(pool.idle() <= 4, "{} wait", pool.idle());
    drop(pool);
    seen.into_iter().for_each(assert_reaped);
}

fn a_dropped_pool_leaves_nobody() {
    let pool = Pool::new(2);
    let pids = [told_pid(&pass(&pool, &key("a"))), told_pid(&pass(&pool, &key("b")))];
    drop(pool);
    pids.into_iter().for_each(assert_reaped);
}

fn kill_all_ends_a_request_in_flight() {
    let pool = Pool::new(2);
    let waiting = told_pid(&pass(&pool, &key("waits")));
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let ask = || pool.observe(&key("a"), &launch("serve"), &request(1, &format!("call {address}")), PATIENT);
    let answer = thread::scope(|scope| {
        let asking = scope.spawn(ask);
        listener.accept().expect("the subject's call");
        pool.kill_all();
        asking.join().expect("a thread")
    });
    assert!(matches!(answer, Err(SubjectError::Interrupted)), "{answer:?}");
    assert_reaped(waiting);
    let later = pool.observe(&key("a"), &launch("serve"), &request(2, "pass"), PATIENT);
    assert!(matches!(later, Err(SubjectError::Interrupted)), "{later:?}");
}

fn kill_all_ends_a_start() {
    let pool = Pool::new(1);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let mut mute = launch("mute");
    mute.args = vec![listener.local_addr().expect("an address").to_string()];
    let answer = thread::scope(|scope| {
        let asking = scope.spawn(|| pool.observe(&key("a"), &mute, &request(1, "pass"), PATIENT));
        listener.accept().expect("the subject's call");
        pool.kill_all();
        asking.join().expect("a thread")
    });
    assert!(matches!(answer, Err(SubjectError::Interrupted)), "{answer:?}");
}
