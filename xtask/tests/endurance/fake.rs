//! A probe that does what the request's text says.

use std::io::{self, BufReader, Read as _};
use std::net::TcpStream;
use std::process::{abort, exit, id};
use std::sync::mpsc;
use std::thread;

use rustix::process::{Pid, Signal, getpid, getppid, kill_process};
use wire::{
    Capability, Card, Device, DeviceKind, Ending, EngineKind, FrameReader, FromHost, FromProbe, Layer,
    Observation, PROTOCOL, Refusal, RefusalCode, Request, Stimulus, Turn, write_frame,
};

/// The environment variable that turns this test binary into a probe: its backend.
pub(crate) const ROLE: &str = "XTASK_FAKE_PROBE";

/// Bytes of a big answer: more than a pipe holds, and more than the tests let anyone write.
pub(crate) const BIG: usize = 256 * 1024;

/// Shows its card, or answers until standard input ends; then it exits at once, as the probe does.
pub(crate) fn play(backend: &str) {
    let card = card(backend);
    if std::env::args().nth(1).as_deref() == Some("card") {
        return say(&card);
    }
    let harness = getppid();
    say(&FromProbe::Ready { protocol: PROTOCOL, pid: id(), card: Box::new(card) });
    for request in requests() {
        let Stimulus::Tokenize(asked) = &request.stimulus else { continue };
        let (deed, rest) = asked.text.split_once(' ').unwrap_or((&asked.text, ""));
        act(deed, rest, request.id, harness);
    }
}

fn requests() -> mpsc::Receiver<Request> {
    let (sender, requests) = mpsc::channel();
    thread::spawn(move || {
        let mut frames = FrameReader::new(BufReader::new(io::stdin()));
        while let Ok(Some(FromHost::Observe(request))) = frames.read() {
            let _ = sender.send(request);
        }
        exit(0);
    });
    requests
}

fn act(deed: &str, rest: &str, id: u64, harness: Option<Pid>) {
    match deed {
        "pass" => reply(id, passed()),
        "abort" => abort(),
        "die" => die(),
        "hang" => spin(),
        "babble" => println!("ggml_metal_init: picking default device"),
        "big-log" => reply(id, Observation { log_tail: vec!["x".repeat(BIG)], ..passed() }),
        "big-refusal" => reply(id, Observation { log_tail: vec!["x".repeat(BIG)], ..refused() }),
        "big-answer" => reply(id, answered(&"x".repeat(BIG))),
        "answer" => reply(id, answered(rest)),
        "meet" => meet(rest, id),
        "kill-harness" => {
            reply(id, passed());
            kill_harness(harness, rest.parse().expect("a number of steps"));
        }
        other => panic!("no such deed: {other}"),
    }
}

fn spin() -> ! {
    loop {
        thread::park();
    }
}

fn die() -> ! {
    kill_process(getpid(), Signal::KILL).expect("a signal to itself");
    spin();
}

/// Tells the test that the request has arrived, and answers when the test says so; else never.
fn meet(address: &str, id: u64) {
    let mut test = TcpStream::connect(address).expect("a test that listens");
    match test.read_exact(&mut [0]) {
        Ok(()) => reply(id, passed()),
        Err(_) => spin(),
    }
}

/// Gives the harness some time with the answer, then kills it; not whoever takes its place when it has ended.
fn kill_harness(harness: Option<Pid>, steps: u64) {
    (0..steps).for_each(|_| std::hint::spin_loop());
    if let Some(harness) = harness.filter(|harness| getppid() == Some(*harness)) {
        kill_process(harness, Signal::KILL).expect("a signal to the harness");
    }
}

fn passed() -> Observation {
    Observation::ended(Ending::Completed)
}

fn refused() -> Observation {
    let message = "the log says why".to_owned();
    Observation::ended(Ending::Refused(Refusal {
        layer: Layer::Load,
        code: RefusalCode::LoadFailed,
        message,
    }))
}

fn answered(text: &str) -> Observation {
    Observation { turns: vec![Turn { answer: Some(text.to_owned()), ..Turn::default() }], ..passed() }
}

fn reply(id: u64, observation: Observation) {
    say(&FromProbe::Reply { id, observation: Box::new(observation) });
}

fn say(frame: &impl serde::Serialize) {
    // A harness that has gone away is no reason to panic.
    let _ = write_frame(io::stdout().lock(), frame);
}

fn card(backend: &str) -> Card {
    let device = Device { name: "CPU".into(), description: "a fake".into(), kind: DeviceKind::Cpu };
    Card {
        backend: backend.to_owned(),
        devices: vec![device],
        os: "none".to_owned(),
        arch: std::env::consts::ARCH.to_owned(),
        cpu_features: String::new(),
        llama_version: "none".to_owned(),
        llama_build: None,
        bindings: "none".to_owned(),
        capabilities: vec![Capability::Tokenize],
        engines: vec![EngineKind::Raw],
        template_engines: Vec::new(),
        wrapper: "none".to_owned(),
        fault: None,
    }
}
