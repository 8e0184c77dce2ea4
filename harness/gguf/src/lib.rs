//! GGUF files: reading, writing, checking, and the fixtures made of them.
//!
//! This room is pure Rust and knows nothing of llama.cpp's code, only of its file format and of the arithmetic of
//! a transformer. It must never link llama.cpp, map a file into memory, or trust a number in a file.
#![forbid(unsafe_code)]

mod blocks;
mod compile;
pub mod fixtures;
mod format;
pub mod integrity;
pub mod memory;

pub use compile::{Behaviour, CompileError, End};
pub use format::{
    Array, Data, Defect, Fault, GgufFile, Place, ReadError, TensorInfo, TensorType, Value, ValueType,
    WriteError, Writer,
};
