//! The three functions, called as C would call them.

use std::ptr;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use bridge::{Frame, Session, Subject, conformance_close, conformance_observe, conformance_open};
use serde_json::{Value, json};
use wire::{Card, Ending, Observation, Request};

/// A subject that does what the request's script says: each piece of the stream is an order.
struct Scripted {
    card: Card,
}

impl Subject for Scripted {
    fn card(&self) -> &Card {
        &self.card
    }

    fn observe(&mut self, request: &Request) -> Observation {
        match request.id {
            13 => panic!("thirteen"),
            14 => std::panic::panic_any(14),
            _ => Observation { loads: request.id as u32, ..Observation::ended(Ending::Completed) },
        }
    }
}

fn card() -> Card {
    serde_json::from_value(json!({
        "backend": "script", "devices": [], "os": "", "arch": "", "cpu_features": "", "llama_version": "",
        "bindings": "", "capabilities": [], "engines": [], "template_engines": [], "wrapper": ""
    }))
    .unwrap()
}

/// A session as C holds it.
struct Held(*mut Session);

impl Held {
    fn over(made: &Arc<AtomicU32>) -> Self {
        let made = Arc::clone(made);
        Self(Box::into_raw(Box::new(Session::start(Box::new(move || {
            made.fetch_add(1, Ordering::SeqCst);
            Ok(Box::new(Scripted { card: card() }))
        })))))
    }

    fn say(&self, bytes: &[u8]) -> Value {
        // SAFETY: the session is open, the bytes live.
        read(unsafe { conformance_observe(self.0, bytes.as_ptr(), bytes.len()) })
    }

    fn ask(&self, id: u64) -> Value {
        let request = json!({"observe": {"id": id, "model": null, "stimulus": {"stream": {"pieces": []}}}});
        self.say(request.to_string().as_bytes())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: it is closed once.
        unsafe { conformance_close(self.0) };
    }
}

fn read(frame: Frame) -> Value {
    assert!(!frame.bytes.is_null());
    // SAFETY: the frame was just returned, and nothing was called since.
    serde_json::from_slice(unsafe { slice::from_raw_parts(frame.bytes, frame.length) }).unwrap()
}

fn open(options: &str) -> (Held, Value) {
    let mut ready = Frame { bytes: ptr::null(), length: 0 };
    // SAFETY: both point to what they say.
    let session = unsafe { conformance_open(options.as_ptr(), options.len(), &raw mut ready) };
    assert!(!session.is_null());
    (Held(session), read(ready))
}

fn refusal(reply: &Value) -> &str {
    reply["reply"]["observation"]["ending"]["refused"]["message"]
        .as_str()
        .unwrap_or_else(|| panic!("{reply}"))
}

#[test]
fn requests_are_answered_in_order() {
    let made = Arc::default();
    let session = Held::over(&made);
    for id in [7, 1, 9] {
        let reply = session.ask(id);
        assert_eq!(reply["reply"]["id"], id);
        assert_eq!(reply["reply"]["observation"], json!({"ending": "completed", "loads": id}));
    }
    assert_eq!(made.load(Ordering::SeqCst), 1);
}

#[test]
fn a_panic_costs_one_request_and_the_next_subject_is_a_new_one() {
    let made = Arc::default();
    let session = Held::over(&made);
    let died = json!({"died": {"signal": null, "exit_code": null}});
    for (id, words) in [(13, "panicked: thirteen"), (14, "panicked: without words")] {
        let reply = session.ask(id);
        assert_eq!(reply["reply"]["observation"], json!({"ending": died, "log_tail": [words]}));
        assert_eq!(session.ask(1)["reply"]["observation"]["ending"], "completed");
    }
    assert_eq!(made.load(Ordering::SeqCst), 3);
}

#[test]
fn what_is_no_frame_is_refused_and_costs_nothing() {
    let session = Held::over(&Arc::default());
    for garbage in ["", "garbage", "{}", "{\"observe\": {\"id\": 1}}", "{\"observe\": 1} {}", "\u{0}"] {
        let reply = session.say(garbage.as_bytes());
        assert!(refusal(&reply).starts_with("not a frame: "), "{reply}");
        assert_eq!(reply["reply"]["id"], 0);
    }
    assert!(refusal(&session.say(&[0xff, 0xfe])).starts_with("not a frame: "));
    assert_eq!(session.ask(2)["reply"]["id"], 2);
}

#[test]
fn nulls_are_said() {
    // SAFETY: nulls are allowed everywhere.
    unsafe {
        assert!(refusal(&read(conformance_observe(ptr::null(), ptr::null(), 0))).contains("session is null"));
        conformance_close(ptr::null_mut());
        let session = Held(conformance_open(ptr::null(), 0, ptr::null_mut()));
        let reply = read(conformance_observe(session.0, ptr::null(), 5));
        assert!(refusal(&reply).starts_with("not a frame: "), "{reply}");
    }
}

#[test]
fn wrong_options_are_said_at_once_and_at_every_request() {
    for options in ["nonsense", "{\"back_end\": \"x\"}", "{\"devices\": \"some\"}"] {
        let (session, ready) = open(options);
        assert!(refusal(&ready).starts_with("the options are wrong: "), "{ready}");
        let words = &session.ask(3)["reply"]["observation"]["log_tail"][0];
        assert!(words.as_str().unwrap().starts_with("the options are wrong: "), "{words}");
    }
}

#[test]
fn any_thread_may_ask() {
    let session = Session::start(Box::new(|| Ok(Box::new(Scripted { card: card() }))));
    std::thread::scope(|scope| {
        for id in 20..28_u64 {
            let session = &session;
            scope.spawn(move || {
                let request =
                    json!({"observe": {"id": id, "model": null, "stimulus": {"stream": {"pieces": []}}}});
                let reply: Value = session
                    .observe(request.to_string().as_bytes(), |reply| serde_json::from_slice(reply).unwrap());
                assert_eq!(reply["reply"]["id"], id);
            });
        }
    });
}

#[cfg(not(feature = "llama"))]
#[test]
fn without_llama_it_says_how_to_build_it() {
    let (_session, ready) = open("{\"backend\": \"ios-device\"}");
    assert!(refusal(&ready).ends_with("build it with --features llama"), "{ready}");
}

#[cfg(feature = "llama")]
#[test]
fn with_llama_the_card_says_what_was_asked_for() {
    let (session, ready) = open("{\"backend\": \"ios-sim-no-devices\", \"devices\": \"none\"}");
    assert_eq!(ready["ready"]["card"]["backend"], "ios-sim-no-devices");
    let stream = json!({"pieces": ["Hi"], "thinking": {"open": "<a>", "close": "</a>"}});
    let request = json!({"observe": {"id": 4, "model": null, "stimulus": {"stream": stream}}});
    let reply = session.say(request.to_string().as_bytes());
    assert_eq!(reply["reply"]["observation"]["turns"][0]["answer"], "Hi", "{reply}");
}
