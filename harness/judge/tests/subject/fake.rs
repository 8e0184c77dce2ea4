//! A subject that does what the request's text says.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio, abort, exit, id};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Signal, getpid, kill_process};
use wire::{
    Capability, Card, Ending, EngineKind, FrameReader, FromHost, FromProbe, MAX_FRAME_BYTES, Observation,
    PROTOCOL, Stimulus, write_frame,
};

/// The environment variable that turns this test binary into a subject: how it starts.
pub(crate) const ROLE: &str = "FAKE_SUBJECT";

/// What the fake's reply says in `log_tail` before its process id.
pub(crate) const PID: &str = "pid ";

/// Plays until standard input ends.
pub(crate) fn play(role: &str) {
    eprintln!("fake subject: {role}");
    match role {
        "dies" => exit(7),
        "mute" => std::env::args().nth(1).map_or_else(|| spin(), |address| call(&address)),
        "babbles" => println!("llama_model_loader: loaded meta data"),
        "deep" => println!(r#"{{"ready":{}"#, "[".repeat(1_000_000)),
        "foreign" => println!(r#"{{"ready":{{"protocol":4711,"pid":1,"card":"of another shape"}}}}"#),
        "hasty" => say(&reply(1)),
        _ => say(&FromProbe::Ready { protocol: PROTOCOL, pid: id(), card: Box::new(card()) }),
    }
    if role == "deaf" {
        spin();
    }
    let mut requests = FrameReader::new(BufReader::new(io::stdin()));
    while let Ok(Some(FromHost::Observe(request))) = requests.read() {
        let Stimulus::Tokenize(asked) = request.stimulus else { continue };
        let (deed, rest) = asked.text.split_once(' ').unwrap_or((&asked.text, ""));
        act(deed, rest, request.id);
    }
    if role == "clinging" {
        spin();
    }
}

fn act(deed: &str, rest: &str, id: u64) {
    eprintln!("fake subject is asked to {deed}");
    match deed {
        "pass" => say(&reply(id)),
        "abort" => abort(),
        "kill" => die(Signal::KILL),
        "abort-once" => abort_once(rest, id),
        "segfault" => die(Signal::SEGV),
        "illegal" => die(Signal::ILL),
        "exit" => exit(rest.parse().expect("an exit code")),
        "hang" => spin(),
        "call" => call(rest),
        "babble" => println!("ggml_metal_init: picking default device"),
        "half-exit" => half(|| exit(0)),
        "half-abort" => half(|| abort()),
        "half-hang" => half(|| spin()),
        "close-stdout" => close_stdout(),
        "huge" => huge(),
        "deep" => println!(r#"{{"reply":{{"id":{id},"observation":{}"#, "[".repeat(1_000_000)),
        "wrong-id" => say(&reply(id + 1000)),
        "twice" => [reply(id), reply(id)].iter().for_each(say),
        "ready-again" => say(&FromProbe::Ready { protocol: PROTOCOL, pid: 1, card: Box::new(card()) }),
        "answer-and-exit" => {
            say(&reply(id));
            exit(0);
        }
        "slow" => slow(id),
        "flood" => flood(id),
        "environment" => environment(id),
        "leave" => leave(),
        other => panic!("no such deed: {other}"),
    }
}

/// Never returns and never looks at standard input, as llama.cpp in a long decode.
fn spin() -> ! {
    loop {
        thread::park();
    }
}

/// Rust's own SIGSEGV handler only steps aside for a signal that no access caused; the second one kills.
fn die(signal: Signal) {
    for _ in 0..2 {
        kill_process(getpid(), signal).expect("a signal to itself");
    }
    spin();
}

/// Passes where `file` is there; else leaves it there and aborts.
fn abort_once(file: &str, id: u64) {
    if File::create_new(file).is_ok() {
        abort();
    }
    say(&reply(id));
}

/// Tells a test that the request has arrived, and hangs.
fn call(address: &str) -> ! {
    let connection = TcpStream::connect(address).expect("a test that listens");
    drop(connection);
    spin();
}

fn half(then: impl FnOnce()) {
    let mut stdout = io::stdout();
    stdout
        .write_all(br#"{"reply":{"id":1,"obs"#)
        .and_then(|()| stdout.flush())
        .expect("a harness that reads");
    then();
}

/// Standard output ends, the process does not: a program takes its place that has another one.
fn close_stdout() {
    use std::os::unix::process::CommandExt;
    let error = Command::new("sleep").arg("600").stdout(Stdio::null()).exec();
    panic!("{error}");
}

fn huge() {
    let mut stdout = io::stdout().lock();
    let chunk = [b'x'; 64 * 1024];
    for _ in 0..=MAX_FRAME_BYTES / chunk.len() {
        // The harness stops reading at the limit.
        if stdout.write_all(&chunk).is_err() {
            spin();
        }
    }
    spin();
}

fn slow(id: u64) {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_millis(50) {
        std::hint::spin_loop();
    }
    say(&reply(id));
}

fn flood(id: u64) {
    let mut stderr = io::stderr().lock();
    let chunk = [b'e'; 64 * 1024];
    for _ in 0..160 {
        stderr.write_all(&chunk).expect("a harness that drains");
    }
    say(&reply(id));
}

fn environment(id: u64) {
    let names = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
    let observation = Observation { log_tail: names.collect(), ..Observation::ended(Ending::Completed) };
    say(&FromProbe::Reply { id, observation: Box::new(observation) });
}

/// Leaves a child of its own behind that holds all three streams, tells its process id, and goes.
#[expect(clippy::zombie_processes, reason = "whoever kills the group is to find it")]
fn leave() {
    let child = Command::new("sleep").arg("600").spawn().expect("sleep(1)");
    eprintln!("{PID}{}", child.id());
    die(Signal::KILL);
}

fn reply(id: u64) -> FromProbe {
    let observation = Observation {
        loads: 1,
        log_tail: vec![format!("{PID}{}", std::process::id())],
        ..Observation::ended(Ending::Completed)
    };
    FromProbe::Reply { id, observation: Box::new(observation) }
}

fn say(frame: &FromProbe) {
    // A harness that has gone away is no reason to panic.
    let _ = write_frame(io::stdout().lock(), frame);
}

/// The fake's card.
pub(crate) fn card() -> Card {
    Card {
        backend: "fake".to_owned(),
        devices: Vec::new(),
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
