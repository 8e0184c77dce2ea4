//! What can be wrong with a file that is being written.

use std::path::PathBuf;

/// Why a GGUF could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Data and dimensions disagree.
    #[error(
        "tensor \"{tensor}\" of type {kind} with dimensions {dims:?} needs {expected} bytes, but has {actual}; \
         give it data of that size"
    )]
    Size {
        /// The tensor.
        tensor: String,
        /// ggml's name of its type.
        kind: &'static str,
        /// Its dimensions, the row length first.
        dims: Vec<u64>,
        /// Bytes that the dimensions ask for.
        expected: u64,
        /// Bytes that were given.
        actual: u64,
    },
    /// Dimensions that no tensor can have.
    #[error(
        "tensor \"{tensor}\" of type {kind} cannot have dimensions {dims:?}; \
         use 1 to 4 of them, a row of whole blocks, and a size below 2^63 bytes"
    )]
    Dims {
        /// The tensor.
        tensor: String,
        /// ggml's name of its type.
        kind: &'static str,
        /// Its dimensions, the row length first.
        dims: Vec<u64>,
    },
    /// Two tensors of one name.
    #[error("there are two tensors \"{tensor}\"; rename one")]
    Twice {
        /// The tensor.
        tensor: String,
    },
    /// An alignment that is no power of two.
    #[error("an alignment of {0} is no power of two from 8 up; use 32")]
    Alignment(u32),
    /// The file system refused.
    #[error("cannot write {path}: {source}; check that its folder exists, is writable and has space")]
    Io {
        /// The target.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}
