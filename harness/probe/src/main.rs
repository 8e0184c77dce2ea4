//! The probe: `serve` frames over stdio, show its `card`, or describe the `models` of a folder.

mod models;

use std::{io, path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};
use probe::{BACKEND, Probe, ServeError};
use wire::FrameError;

/// Runs requests on real llama.cpp and says what was seen. It never judges.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// The backend that this probe stands for on its card; names that begin with `cpu` use no other device.
    #[arg(long, global = true, default_value = BACKEND)]
    backend: String,
}

#[derive(Subcommand)]
enum Command {
    /// Answer frames on standard input with frames on standard output, until standard input ends.
    Serve,
    /// Print who would answer, as JSON.
    Card,
    /// Inspect every .gguf file of a folder: one line of JSON each.
    Models {
        /// The folder.
        dir: PathBuf,
    },
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    probe::no_backtraces();
    probe::no_core_dumps();
    abort_on_panic();
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("probe: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli) -> Result<(), Failure> {
    let stdout = probe::take_stdout().map_err(Failure::Stdout)?;
    let mut subject = Probe::new(probe::card(&cli.backend), probe::engines(&cli.backend));
    match &cli.command {
        Command::Serve => Ok(probe::serve(&mut subject, io::stdin(), stdout, end)?),
        Command::Card => wire::write_frame(stdout, subject.card()).map_err(Failure::Stdout),
        Command::Models { dir } => models::inspect_all(&mut subject, dir, stdout),
    }
}

/// Ends the process at the end of input, whatever llama.cpp is doing.
fn end(input: Result<(), FrameError>) {
    match input {
        Ok(()) => probe::exit_now(0),
        Err(error) => {
            eprintln!("probe: {error}");
            probe::exit_now(1)
        }
    }
}

/// A panic is a bug of ours: say so and die by a signal, which the harness tells apart from any reply.
fn abort_on_panic() {
    let say = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        say(info);
        std::process::abort();
    }));
}

/// Why the probe could not do its work.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// Standard output is closed, or could not be moved away.
    #[error("standard output: {0}; run the probe with its three standard streams open")]
    Stdout(#[source] io::Error),
    /// Serving ended early.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// A folder of models could not be read.
    #[error("reading the folder {}: {source}; name a folder with .gguf files", dir.display())]
    Folder {
        /// The folder.
        dir: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}
