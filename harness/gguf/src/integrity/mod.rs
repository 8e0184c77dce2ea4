//! Is a model file whole and sound, byte by byte? One pass over each file: structure, numbers that are none, zeros
//! where weights should be, checksum, and the parts of a split model.
//!
//! Files are streamed through one buffer, each byte read once, never mapped; what is kept grows with the file's header
//! alone. This room must never change a file, nor say what a model is good for.

mod check;
mod findings;
mod floats;
mod parts;
mod place;
mod problem;
mod scan;
mod structure;
mod zeros;

pub use check::{Expected, FileSeen, Integrity, IntegrityError, check, check_bytes};
pub use problem::{Problem, ProblemCode, Severity};
