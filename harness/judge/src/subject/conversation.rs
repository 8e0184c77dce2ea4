//! Frames to and from a child, with deadlines.

use std::io::{BufReader, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use wire::{FrameError, FrameReader, FromHost, FromProbe, PROTOCOL, write_frame};

use super::log::Log;
use super::process::Process;
use super::{Launch, SubjectError};

/// Frames that may wait unread: a child that talks without being asked is held up by its pipe.
const UNREAD: usize = 8;

/// How long the other signs of an ending are waited for after the first one.
const GRACE: Duration = Duration::from_secs(5);

/// A child that is being talked to. Reading, writing and waiting each have a thread, so that neither a big
/// request nor a silent child can hold up the deadline.
pub(super) struct Conversation {
    pub(super) process: Arc<Process>,
    pub(super) log: Arc<Log>,
    events: Receiver<Event>,
    lines: Sender<Vec<u8>>,
}

enum Event {
    Frame(Result<FromProbe, FrameError>),
    /// The first frame is of another version of the protocol.
    Foreign(u64),
    /// Standard output ended between two frames.
    Closed,
    /// Standard input is closed at the other end.
    Deaf,
    Exited,
}

/// Why no frame came.
pub(super) enum Break {
    /// The process ended; `half` is what came of an unfinished frame.
    Exited { half: Option<String> },
    /// What came is no frame.
    Garbled { problem: String, excerpt: String },
    /// A ready frame of this version of the protocol.
    Foreign(u64),
    /// Nothing came.
    Silent,
}

impl Conversation {
    /// Starts the child and the threads.
    pub(super) fn start(launch: &Launch) -> Result<Self, SubjectError> {
        let (heard, events) = mpsc::sync_channel(UNREAD);
        let exit = heard.clone();
        // Whoever no longer listens does not miss these events: no `send` below needs its result.
        let (process, streams) = Process::start(launch, move || drop(exit.send(Event::Exited)))?;
        let (lines, to_write) = mpsc::channel();
        let threads = || {
            let named = |name: &str| thread::Builder::new().name(name.to_owned());
            let deaf = heard.clone();
            named("subject-stdin").spawn(move || write_lines(streams.stdin, &to_write, &deaf))?;
            named("subject-stdout").spawn(move || read_frames(streams.stdout, &heard))?;
            Log::drain(streams.stderr.into())
        };
        match threads() {
            Ok(log) => Ok(Self { process, log, events, lines }),
            Err(source) => {
                process.end();
                Err(SubjectError::Spawn { program: launch.to_string(), source })
            }
        }
    }

    /// Hands a frame to the writing thread.
    pub(super) fn say(&self, frame: &FromHost) -> std::io::Result<()> {
        let mut line = Vec::new();
        write_frame(&mut line, frame)?;
        // A writer that has given up said `Deaf`.
        let _ = self.lines.send(line);
        Ok(())
    }

    /// What the child said or did without being asked; `None` when it waits quietly, as it should.
    pub(super) fn unasked(&mut self) -> Option<Result<FromProbe, Break>> {
        match self.events.try_recv().ok()? {
            Event::Frame(Ok(frame)) => Some(Ok(frame)),
            Event::Frame(Err(error)) => Some(Err(garbled(&error))),
            Event::Foreign(protocol) => Some(Err(Break::Foreign(protocol))),
            Event::Closed | Event::Deaf | Event::Exited => Some(Err(Break::Exited { half: None })),
        }
    }

    /// The next frame, if one comes before `deadline` has passed.
    pub(super) fn hear(&mut self, deadline: Duration) -> Result<FromProbe, Break> {
        let mut until = later(deadline);
        let mut signs = Signs::default();
        while !(signs.exited && signs.closed) {
            let left = until.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left) {
                Ok(Event::Frame(Ok(frame))) => return Ok(frame),
                Ok(Event::Frame(Err(FrameError::Truncated { excerpt }))) => {
                    signs.closed = true;
                    signs.half = Some(excerpt);
                }
                Ok(Event::Frame(Err(error))) => return Err(garbled(&error)),
                Ok(Event::Foreign(protocol)) => return Err(Break::Foreign(protocol)),
                Ok(Event::Closed) => signs.closed = true,
                Ok(Event::Deaf) => signs.deaf = true,
                Ok(Event::Exited) => signs.exited = true,
                Err(_) => break,
            }
            // After the first sign the others are close behind, and so is a reply that is still in the pipe.
            until = until.min(later(GRACE));
        }
        Err(signs.into_break())
    }
}

/// What was seen of an ending; the signs come in any order.
#[derive(Default)]
struct Signs {
    exited: bool,
    closed: bool,
    deaf: bool,
    half: Option<String>,
}

impl Signs {
    fn into_break(self) -> Break {
        let problem = match (&self.half, self.exited) {
            (half, true) => return Break::Exited { half: half.clone() },
            (Some(_), false) => "standard output was closed inside a frame, and the process lives on",
            (None, false) if self.closed => "standard output was closed, and the process lives on",
            (None, false) if self.deaf => {
                "standard input was closed before it was read, and the process lives on"
            }
            (None, false) => return Break::Silent,
        };
        Break::Garbled { problem: problem.to_owned(), excerpt: self.half.unwrap_or_default() }
    }
}

fn garbled(error: &FrameError) -> Break {
    let problem = match error {
        FrameError::Json { source, .. } => format!("not a frame: {source}"),
        FrameError::TooLong { limit, .. } => format!("a frame is longer than {limit} bytes"),
        FrameError::Truncated { .. } => "the stream ended inside a frame".to_owned(),
        FrameError::Io(source) => format!("reading a frame failed: {source}"),
    };
    Break::Garbled { problem, excerpt: error.excerpt().to_owned() }
}

/// When `duration` has passed; a century at most, which no clock overflows on.
fn later(duration: Duration) -> Instant {
    Instant::now() + duration.min(Duration::from_secs(100 * 365 * 24 * 60 * 60))
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<Vec<u8>>, heard: &SyncSender<Event>) {
    for line in lines {
        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
            drop(heard.send(Event::Deaf));
            return;
        }
    }
}

/// Reads until the stream ends or makes no sense; after that nothing it says could be trusted.
fn read_frames(stdout: ChildStdout, heard: &SyncSender<Event>) {
    let mut reader = FrameReader::new(BufReader::new(stdout));
    let mut event = first_frame(&mut reader);
    loop {
        let goes_on = matches!(event, Event::Frame(Ok(_)));
        if heard.send(event).is_err() || !goes_on {
            return;
        }
        event = match reader.read() {
            Ok(Some(frame)) => Event::Frame(Ok(frame)),
            Ok(None) => Event::Closed,
            Err(error) => Event::Frame(Err(error)),
        };
    }
}

/// The first frame may be of a version that has other fields: its number is looked for before its shape.
fn first_frame(reader: &mut FrameReader<BufReader<ChildStdout>>) -> Event {
    let value: Value = match reader.read() {
        Ok(Some(value)) => value,
        Ok(None) => return Event::Closed,
        Err(error) => return Event::Frame(Err(error)),
    };
    match value["ready"]["protocol"].as_u64() {
        Some(protocol) if protocol != u64::from(PROTOCOL) => Event::Foreign(protocol),
        _ => {
            let excerpt = value.to_string().chars().take(200).collect();
            let frame = serde_json::from_value(value);
            Event::Frame(frame.map_err(|source| FrameError::Json { source, excerpt }))
        }
    }
}
