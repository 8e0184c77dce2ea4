//! The process itself: its standard output, its core dumps, its end.

use std::{
    fs::File,
    io,
    os::fd::{AsRawFd, FromRawFd},
};

/// Moves standard output away and sends whatever else is printed there to standard error, so that a `printf` in
/// C++ cannot break a frame. Returns the moved stream.
///
/// # Errors
/// Where the descriptor cannot be duplicated.
pub fn take_stdout() -> io::Result<File> {
    let (out, err) = (io::stdout().as_raw_fd(), io::stderr().as_raw_fd());
    // SAFETY: duplicating a descriptor touches no memory; failure is checked below.
    let moved = unsafe { libc::fcntl(out, libc::F_DUPFD_CLOEXEC, 3) };
    // SAFETY: as above; both descriptors are open for the whole life of the process.
    if moved < 0 || unsafe { libc::dup2(err, out) } < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: `moved` is a new descriptor that nothing else owns.
    Ok(unsafe { File::from_raw_fd(moved) })
}

/// Switches core dumps off: a crash is an observation here, and a model's dump is as large as the model.
pub fn no_core_dumps() {
    let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointer is to a live rlimit of our own.
    unsafe { libc::setrlimit(libc::RLIMIT_CORE, &raw const none) };
}

/// Makes ggml's abort print its message alone: else it starts a debugger for a backtrace, which takes seconds.
/// Called at the start of `main`, before there are threads.
pub fn no_backtraces() {
    // SAFETY: no other thread exists yet that could read the environment.
    unsafe { std::env::set_var("GGML_NO_BACKTRACE", "1") };
}

/// Ends the process at once, without destructors: llama.cpp's threads may be in the middle of a computation.
pub fn exit_now(code: i32) -> ! {
    // SAFETY: _exit has no preconditions and does not return.
    unsafe { libc::_exit(code) }
}
