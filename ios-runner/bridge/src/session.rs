//! A subject on a thread of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use wire::{Observation, Request};

use crate::frame;
use crate::subject::{Make, Subject};

/// Bytes of stack: a secondary thread on Apple's systems has half a megabyte otherwise, and templates recurse.
const STACK: usize = 8 * 1024 * 1024;

/// A conversation with one subject. The subject lives on a thread of the session's own, so that any thread may ask.
pub struct Session {
    ready: Vec<u8>,
    talk: Mutex<Talk>,
    thread: Option<JoinHandle<()>>,
}

struct Talk {
    /// `None` once the session is being closed.
    requests: Option<Sender<Request>>,
    replies: Receiver<Observation>,
    last: Vec<u8>,
}

impl Session {
    /// Makes a subject and waits until it is there. Where there is none, every answer says why.
    pub fn start(make: Make) -> Self {
        let (requests, to_answer) = channel::<Request>();
        let (answered, replies) = channel();
        let (greet, greeting) = channel();
        let serve = move || serve(&make, &greet, &to_answer, &answered);
        let thread = thread::Builder::new().name("conformance".to_owned()).stack_size(STACK).spawn(serve);
        let ready = match &thread {
            Ok(_) => {
                greeting.recv().unwrap_or_else(|_| frame::nobody(0, "the subject's thread ended at once"))
            }
            Err(error) => frame::nobody(0, format!("no thread could be started: {error}")),
        };
        let talk = Mutex::new(Talk { requests: Some(requests), replies, last: Vec::new() });
        Self { ready, talk, thread: thread.ok() }
    }

    /// A session in which nobody can be asked.
    pub(crate) fn without(reason: &str) -> Self {
        let reason = reason.to_owned();
        Self::start(Box::new(move || Err(reason.clone())))
    }

    /// The first frame: the subject's card, or the reply of a session in which nobody is there.
    pub fn ready(&self) -> &[u8] {
        &self.ready
    }

    /// Answers one frame with one frame, which is kept until the next one. Asks of several threads are answered one
    /// after the other.
    pub fn observe<T>(&self, bytes: &[u8], take: impl FnOnce(&[u8]) -> T) -> T {
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        talk.last = match frame::request(bytes) {
            Ok(request) => talk.ask(request),
            Err(message) => frame::no_request(message),
        };
        take(&talk.last)
    }
}

impl Talk {
    fn ask(&self, request: Request) -> Vec<u8> {
        let id = request.id;
        let sent = self.requests.as_ref().is_some_and(|requests| requests.send(request).is_ok());
        match sent.then(|| self.replies.recv()) {
            Some(Ok(observation)) => frame::reply(id, observation),
            _ => frame::nobody(id, "the subject's thread has ended; open another session"),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.talk.get_mut().unwrap_or_else(PoisonError::into_inner).requests = None;
        if let Some(thread) = self.thread.take() {
            // It catches panics; one in a destructor has been told on standard error.
            let _ = thread.join();
        }
    }
}

/// Answers until the session is closed. After a panic the subject may be in any state: another is made.
fn serve(make: &Make, greet: &Sender<Vec<u8>>, requests: &Receiver<Request>, replies: &Sender<Observation>) {
    let mut subject = made(make);
    let greeting = match &subject {
        Ok(subject) => {
            caught(|| frame::ready(subject.card())).unwrap_or_else(|words| frame::nobody(0, words))
        }
        Err(reason) => frame::nobody(0, reason.clone()),
    };
    if greet.send(greeting).is_err() {
        return;
    }
    for request in requests {
        let observation = match &mut subject {
            Ok(there) => caught(|| there.observe(&request)),
            Err(reason) => Err(reason.clone()),
        };
        let observation = observation.unwrap_or_else(|words| {
            // Dropping what panicked may panic again.
            let broken = std::mem::replace(&mut subject, Err(String::new()));
            let _ = caught(move || drop(broken));
            subject = made(make);
            frame::died(words)
        });
        if replies.send(observation).is_err() {
            return;
        }
    }
}

fn made(make: &Make) -> Result<Box<dyn Subject>, String> {
    caught(make).and_then(|made| made)
}

/// What `run` returns, or the words of its panic.
fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
        let words = payload.downcast_ref::<&str>().map(|words| (*words).to_owned());
        let words = words.or_else(|| payload.downcast_ref::<String>().cloned());
        format!("panicked: {}", words.unwrap_or_else(|| "without words".to_owned()))
    })
}
