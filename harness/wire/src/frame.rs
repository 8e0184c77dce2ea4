//! Frames: one JSON object a line.
//!
//! The probe speaks first: [`FromProbe::Ready`]. Then the harness writes one [`FromHost`] a line and reads one
//! [`FromProbe::Reply`] for each request, in order. The harness ends the conversation by closing the stream; the
//! probe exits at end of file, even while llama.cpp is busy.

use std::io::{self, BufRead, Read, Write};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Card, Observation, Request};

/// The version of this protocol. It changes whenever an older peer would misread a newer one.
pub const PROTOCOL: u32 = 1;

/// The longest line that is read, in bytes. A longer one is an error, not an allocation.
pub const MAX_FRAME_BYTES: usize = 64 * 1024 * 1024;

/// What the harness says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FromHost {
    /// One question.
    Observe(Request),
}

/// What a probe says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FromProbe {
    /// The first frame: who is there.
    Ready {
        /// Must equal [`PROTOCOL`].
        protocol: u32,
        /// The probe's own process id; under a launcher not the child's.
        pid: u32,
        /// Its card.
        card: Box<Card>,
    },
    /// The answer to one request.
    Reply {
        /// The request's id.
        id: u64,
        /// What was seen.
        observation: Box<Observation>,
    },
}

/// Why a frame could not be read.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The stream failed.
    #[error("reading a frame failed")]
    Io(#[from] io::Error),
    /// The stream ended inside a line.
    #[error("the stream ended inside a frame that begins with {excerpt:?}")]
    Truncated {
        /// How it begins.
        excerpt: String,
    },
    /// The line is longer than [`MAX_FRAME_BYTES`].
    #[error("a frame is longer than {limit} bytes: {excerpt:?}")]
    TooLong {
        /// The limit in bytes.
        limit: usize,
        /// How it begins.
        excerpt: String,
    },
    /// The line is no frame.
    #[error("not a frame: {source}: {excerpt:?}")]
    Json {
        /// What the parser says.
        source: serde_json::Error,
        /// How the line begins.
        excerpt: String,
    },
}

impl FrameError {
    /// The beginning of what was read, for a report.
    pub fn excerpt(&self) -> &str {
        match self {
            Self::Io(_) => "",
            Self::Truncated { excerpt } | Self::TooLong { excerpt, .. } | Self::Json { excerpt, .. } => {
                excerpt
            }
        }
    }
}

/// Writes `value` as one line and flushes.
///
/// # Errors
/// When the stream fails, or the value cannot be JSON.
pub fn write_frame<T: Serialize>(mut stream: impl Write, value: &T) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    stream.write_all(&line)?;
    stream.flush()
}

/// Reads frames line by line, and never more than a limit.
#[derive(Debug)]
pub struct FrameReader<R> {
    stream: R,
    limit: usize,
}

impl<R: BufRead> FrameReader<R> {
    /// A reader with the usual limit, [`MAX_FRAME_BYTES`].
    pub const fn new(stream: R) -> Self {
        Self::with_limit(stream, MAX_FRAME_BYTES)
    }

    /// A reader that takes lines of at most `limit` bytes.
    pub const fn with_limit(stream: R, limit: usize) -> Self {
        Self { stream, limit }
    }

    /// The next frame; `None` at the end of the stream.
    ///
    /// # Errors
    /// When the stream fails, a line is too long, cut off, or no frame. After [`FrameError::Json`] the next call
    /// reads the next line; after the others the stream is of no more use.
    pub fn read<T: DeserializeOwned>(&mut self) -> Result<Option<T>, FrameError> {
        let mut line = Vec::new();
        let cap = self.limit as u64 + 1;
        let count = (&mut self.stream).take(cap).read_until(b'\n', &mut line)?;
        if count == 0 {
            return Ok(None);
        }
        if line.pop_if(|byte| *byte == b'\n').is_none() {
            let excerpt = excerpt(&line);
            return Err(if line.len() > self.limit {
                FrameError::TooLong { limit: self.limit, excerpt }
            } else {
                FrameError::Truncated { excerpt }
            });
        }
        serde_json::from_slice(&line)
            .map(Some)
            .map_err(|source| FrameError::Json { source, excerpt: excerpt(&line) })
    }
}

fn excerpt(line: &[u8]) -> String {
    const SHOWN: usize = 200;
    String::from_utf8_lossy(&line[..line.len().min(SHOWN)]).into_owned()
}
