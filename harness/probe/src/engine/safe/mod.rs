//! llama.cpp by llama-cpp-2 alone, as a Rust app would use it; itself a wrapper under test.
//!
//! Nothing here may reach around llama-cpp-2: what its interface lacks is a refusal.

mod context;
mod engine;
mod model;

pub(crate) use engine::SafeEngine;
