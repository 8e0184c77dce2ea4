//! A Hugging Face hub of one file, on this machine: as much of HTTP as its client needs.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// How the hub answers.
#[derive(Clone, Debug)]
pub(crate) struct Manners {
    /// The file.
    pub(crate) contents: Vec<u8>,
    /// What the hub says its SHA-256 is.
    pub(crate) tag: String,
    /// The status of every answer, where it is not the usual one.
    pub(crate) status: Option<u16>,
    /// The connection ends in the middle of the file.
    pub(crate) breaks: bool,
    /// The file stops coming in the middle, with a word to the test, and the connection stays.
    pub(crate) stalls: Option<Sender<()>>,
    /// Whether a download may go on from its middle; else the whole file comes, whatever was asked.
    pub(crate) resumes: bool,
}

/// The hub; it is gone when this is dropped.
pub(crate) struct Loopback {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
    thread: Option<JoinHandle<()>>,
}

struct State {
    manners: Manners,
    log: Vec<String>,
    stopped: bool,
}

impl Loopback {
    /// Serves `contents` as any file of any repository.
    pub(crate) fn new(contents: Vec<u8>) -> Self {
        let tag = super::sample::sha256(&contents);
        let manners = Manners { contents, tag, status: None, breaks: false, stalls: None, resumes: true };
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(Mutex::new(State { manners, log: Vec::new(), stopped: false }));
        let shared = Arc::clone(&state);
        let thread = std::thread::spawn(move || serve(&listener, &shared));
        Self { address, state, thread: Some(thread) }
    }

    /// Changes how it answers.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Manners)) {
        change(&mut self.state.lock().unwrap().manners);
    }

    /// Which bytes of the file were asked for since the last call; questions about its size are left out.
    pub(crate) fn downloads(&self) -> Vec<String> {
        let mut log = std::mem::take(&mut self.state.lock().unwrap().log);
        log.retain(|range| range != "bytes=0-0");
        log
    }

    /// Lets `command` ask this hub.
    pub(crate) fn asked_by(&self, mut command: Command) -> Command {
        command.env("HF_ENDPOINT", format!("http://{}/", self.address));
        command
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        self.state.lock().unwrap().stopped = true;
        let _ = TcpStream::connect(self.address);
        self.thread.take().map(JoinHandle::join);
    }
}

fn serve(listener: &TcpListener, state: &Mutex<State>) {
    for stream in listener.incoming() {
        if state.lock().unwrap().stopped {
            return;
        }
        // A client that was killed is none of the hub's troubles.
        let _ = answer(stream.unwrap(), state);
    }
}

fn answer(mut stream: TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    let request = head(&mut stream)?;
    let manners = state.lock().unwrap().manners.clone();
    if let Some(status) = manners.status {
        return write!(stream, "HTTP/1.1 {status} No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    }
    if request.contains("/resolve/") {
        let (host, tag) = (stream.local_addr()?, &manners.tag);
        return write!(
            stream,
            "HTTP/1.1 302 Found\r\nLocation: http://{host}/file\r\nX-Repo-Commit: c0ffee\r\n\
             X-Linked-ETag: \"{tag}\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
    }
    let range =
        request.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("range: ").map(str::to_owned));
    let range = range.unwrap_or_default();
    state.lock().unwrap().log.push(range.clone());
    send(&mut stream, &manners, &range)
}

fn head(stream: &mut TcpStream) -> std::io::Result<String> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte)? == 1 {
        head.push(byte[0]);
    }
    Ok(String::from_utf8_lossy(&head).into_owned())
}

fn send(stream: &mut TcpStream, manners: &Manners, range: &str) -> std::io::Result<()> {
    let total = manners.contents.len();
    let (start, end) = range.trim_start_matches("bytes=").split_once('-').unwrap_or(("0", ""));
    let end = end.parse().map_or(total, |last: usize| last + 1);
    let start = if end == total && !manners.resumes { 0 } else { start.parse().unwrap() };
    if start >= total {
        return write!(stream, "HTTP/1.1 416 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    }
    let body = &manners.contents[start..end];
    write!(
        stream,
        "HTTP/1.1 206 Partial\r\nContent-Range: bytes {start}-{}/{total}\r\nContent-Length: {}\r\nConnection: \
         close\r\n\r\n",
        end - 1,
        body.len()
    )?;
    let cut = (manners.breaks || manners.stalls.is_some()) && body.len() > 1;
    stream.write_all(if cut { &body[..body.len() / 2] } else { body })?;
    if let Some(stalls) = manners.stalls.as_ref().filter(|_| cut) {
        stalls.send(()).unwrap();
        // Ends when the client does.
        let _ = stream.read(&mut [0]);
    }
    Ok(())
}
