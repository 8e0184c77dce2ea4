//! llama.cpp's own tools for the same work, beside ours: what they are asked, and what they print.
//!
//! They are built elsewhere, and named by their paths: nothing here builds or fetches them.

mod archs;
mod base_file;
mod comparison;
mod scoring;

pub(crate) use archs::{Sweep, row_names};
pub(crate) use base_file::BaseFile;
pub(crate) use comparison::{Comparison, Pair};
pub(crate) use scoring::Scoring;
