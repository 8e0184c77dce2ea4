//! Frames over two streams.

use std::{
    io::{self, BufReader, Read, Write},
    sync::mpsc,
    thread,
};

use wire::{FrameError, FrameReader, FromHost, FromProbe, PROTOCOL, write_frame};

use crate::Observe;

/// Why serving ended early.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The reply could not be written.
    #[error("writing a frame failed; the harness has closed its end")]
    Write(#[source] io::Error),
    /// The thread that reads could not be started.
    #[error("starting the reader thread failed; raise the limit on threads")]
    Thread(#[source] io::Error),
}

/// Says who is there, then answers each request from `input` on `output`, in order.
///
/// `input` is read on a thread of its own. When it ends, or what comes is no frame, `at_end` is called there, at
/// once: a probe that llama.cpp keeps busy ends its process with it. Where it returns, the requests read before are
/// answered and this function returns.
///
/// # Errors
/// When `output` fails or the thread cannot be started.
pub fn serve(
    probe: &mut impl Observe,
    input: impl Read + Send + 'static,
    mut output: impl Write,
    at_end: impl FnOnce(Result<(), FrameError>) + Send + 'static,
) -> Result<(), ServeError> {
    let ready = FromProbe::Ready {
        protocol: PROTOCOL,
        pid: std::process::id(),
        card: Box::new(probe.card().clone()),
    };
    write_frame(&mut output, &ready).map_err(ServeError::Write)?;
    let (sender, requests) = mpsc::channel();
    let read = move || {
        let mut frames = FrameReader::new(BufReader::new(input));
        let end = loop {
            match frames.read::<FromHost>() {
                Ok(Some(FromHost::Observe(request))) => {
                    if sender.send(request).is_err() {
                        break Ok(());
                    }
                }
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        at_end(end);
    };
    thread::Builder::new().name("frames".to_owned()).spawn(read).map_err(ServeError::Thread)?;
    for request in requests {
        let observation = Box::new(probe.observe(&request));
        let reply = FromProbe::Reply { id: request.id, observation };
        write_frame(&mut output, &reply).map_err(ServeError::Write)?;
    }
    Ok(())
}
