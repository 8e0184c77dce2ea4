//! The three functions that other languages call. `include/conformance.h` declares them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;
use std::sync::OnceLock;

use crate::frame;
use crate::options::Options;
use crate::session::Session;

/// Bytes that belong to a session, or to this library where there is none.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// UTF-8 JSON without a terminating zero; never null.
    pub bytes: *const u8,
    /// How many bytes.
    pub length: usize,
}

impl Frame {
    fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.as_ptr(), length: bytes.len() }
    }
}

/// Opens a session and never returns null. `options` is JSON, [`Options`]; null or no bytes: the defaults. `*ready`,
/// where it is not null, is the first frame, and is valid until [`conformance_close`].
///
/// # Safety
/// `options` is null or points to `length` bytes; `ready` is null or points to a frame that can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn conformance_open(
    options: *const u8,
    length: usize,
    ready: *mut Frame,
) -> *mut Session {
    // SAFETY: the caller's promise about `options`.
    let options = unsafe { bytes(options, length) }.unwrap_or_default();
    let session = catch_unwind(AssertUnwindSafe(|| open(options)))
        .unwrap_or_else(|_| Session::without("opening the session panicked"));
    let session = Box::new(session);
    if !ready.is_null() {
        // SAFETY: the caller's promise about `ready`; the session's first frame never moves nor changes.
        unsafe { ready.write(Frame::of(session.ready())) };
    }
    Box::into_raw(session)
}

/// Answers one frame, `{"observe": REQUEST}`, with one frame, `{"reply": …}`, which is valid until the next call with
/// this session. Whatever is wrong, a null included, is said in the reply: it never fails.
///
/// # Safety
/// `session` is null or comes from [`conformance_open`] and is not closed; `request` is null or points to `length`
/// bytes. Calls with one session do not overlap with the use of an earlier reply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn conformance_observe(
    session: *const Session,
    request: *const u8,
    length: usize,
) -> Frame {
    static NO_SESSION: OnceLock<Vec<u8>> = OnceLock::new();
    // SAFETY: the caller's promise about `session`.
    let Some(session) = (unsafe { session.as_ref() }) else {
        let no_session = || frame::nobody(0, "the session is null; call conformance_open first");
        return Frame::of(NO_SESSION.get_or_init(no_session));
    };
    // SAFETY: the caller's promise about `request`. A null is no frame, and the session says so.
    let request = unsafe { bytes(request, length) }.unwrap_or_default();
    session.observe(request, Frame::of)
}

/// Ends a session, waits until its subject is gone, and frees its frames. Null is fine.
///
/// # Safety
/// `session` is null or comes from [`conformance_open`], is closed once, and is not in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn conformance_close(session: *mut Session) {
    if session.is_null() {
        return;
    }
    // SAFETY: it was made by Box::into_raw in conformance_open, and the caller closes it once.
    let session = unsafe { Box::from_raw(session) };
    // A panic in a subject's destructor has been told; it must not cross the border.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(session)));
}

fn open(options: &[u8]) -> Session {
    let options = if options.is_empty() { Ok(Options::default()) } else { serde_json::from_slice(options) };
    match options {
        #[cfg(feature = "llama")]
        Ok(options) => Session::start(crate::probed::maker(options)),
        #[cfg(not(feature = "llama"))]
        Ok(options) => Session::start(crate::unbuilt::maker(&options)),
        Err(error) => Session::without(&format!("the options are wrong: {error}; see include/conformance.h")),
    }
}

/// # Safety
/// `start` is null or points to `length` bytes that nobody changes meanwhile.
unsafe fn bytes<'a>(start: *const u8, length: usize) -> Option<&'a [u8]> {
    // SAFETY: the caller's promise; null is sorted out.
    (!start.is_null()).then(|| unsafe { slice::from_raw_parts(start, length) })
}
