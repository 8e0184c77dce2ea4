//! The probe: `serve` frames over stdio, show its `card`, or describe the `models` of a folder.

mod models;

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use clap::{Parser, Subcommand, ValueEnum};
use probe::{BACKEND, Fault, FaultyOutput, FaultyProbe, Probe, ServeError};
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
    Serve {
        /// Be broken in one known way, as `faults` lists them; the card says so.
        #[arg(long, value_name = "NAME")]
        fault: Option<Fault>,
    },
    /// List the ways to be broken: name and meaning.
    Faults,
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
    let (card, engines) = (probe::card(&cli.backend), probe::engines(&cli.backend));
    if let Command::Serve { fault: Some(fault) } = &cli.command {
        let mut subject = FaultyProbe::new(card, engines, *fault);
        return Ok(probe::serve(&mut subject, io::stdin(), FaultyOutput::new(stdout, *fault), end)?);
    }
    let mut subject = Probe::new(card, engines);
    match &cli.command {
        Command::Serve { .. } => Ok(probe::serve(&mut subject, io::stdin(), stdout, end)?),
        Command::Faults => list_faults(stdout).map_err(Failure::Stdout),
        Command::Card => wire::write_frame(stdout, subject.card()).map_err(Failure::Stdout),
        Command::Models { dir } => models::inspect_all(&mut subject, dir, stdout),
    }
}

fn list_faults(mut out: impl Write) -> io::Result<()> {
    Fault::value_variants()
        .iter()
        .try_for_each(|fault| writeln!(out, "{:<26} {}", fault.name(), fault.about()))
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
