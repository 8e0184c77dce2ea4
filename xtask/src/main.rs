//! `cargo xtask …`: builds probes, runs cases, fetches models.
//!
//! Parses flags and calls rooms. It starts tools and probes but never links llama.cpp, and it never judges: that
//! is the judge's.
#![forbid(unsafe_code)]

mod atomic;
mod backend;
mod bench;
mod ci;
mod command_line;
mod commands;
mod completions;
mod context;
mod corpus;
mod digest;
mod exit;
mod flags;
mod itself;
mod json_file;
mod machine;
mod models;
mod new_case;
mod pipe;
mod progress;
mod reference;
mod render;
mod setup;
mod table;
#[cfg(test)]
mod testing;
mod watch;
mod workspace;
mod wrap;

use std::process::ExitCode;

use clap::Parser as _;
use judge::causes::{in_one_line, visible};

use crate::context::Context;
use crate::exit::Exit;
use crate::flags::Flags;

fn main() -> ExitCode {
    pipe::end_clearly_when_unwritable();
    let flags = Flags::parse();
    match flags.command.run(Context::current) {
        Ok(exit) => exit.into(),
        Err(error) => {
            pipe::say(&format!("error: {}", visible(&in_one_line(error.as_ref()))));
            Exit::of(&error).into()
        }
    }
}
