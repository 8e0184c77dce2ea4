//! Looking at the harness and at one answer more closely.

use std::path::PathBuf;

use clap::Args;

/// `faults`
#[derive(Clone, Debug, Args)]
pub(crate) struct FaultsFlags {
    /// Break only in these ways
    #[arg(value_name = "FAULT")]
    pub(crate) fault: Vec<String>,
    /// Whose probe
    #[arg(long, value_name = "NAME", default_value = "cpu")]
    pub(crate) backend: String,
    /// Install missing programs with this system's package manager
    #[arg(long)]
    pub(crate) setup: bool,
    /// Ask the healthy subject under so many other conditions: threads, batches, load order, used workers
    #[arg(long, value_name = "N", default_value = "50")]
    pub(crate) seeds: u32,
    /// How many workers at once; default: one for each processor
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    /// Write a report for programs
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}

/// `trace`
#[derive(Clone, Debug, Args)]
#[command(after_help = "Exit codes: 0 the logits agree and no node is wrong; 1 something was found")]
pub(crate) struct TraceFlags {
    /// The case that shows it
    #[arg(value_name = "CASE")]
    pub(crate) case: String,
    /// Whose graph: a backend, or the path of a probe that was built elsewhere
    #[arg(long, value_name = "NAME|PATH", default_value = "cpu")]
    pub(crate) backend: String,
    /// Whose graph is right, likewise
    #[arg(long, value_name = "NAME|PATH", default_value = "cpu")]
    pub(crate) reference: String,
    /// The model, where the case asks several: a name of models.json, fetched hf:OWNER/REPO/FILE.gguf, or a GGUF file
    #[arg(long, value_name = "NAME|hf:…|PATH")]
    pub(crate) model: Option<String>,
    /// Build the backend against this llama.cpp checkout; the reference keeps the pinned one
    #[arg(long, value_name = "DIR")]
    pub(crate) llama_src: Option<PathBuf>,
    /// Break the backend in one known way first, as `cargo xtask faults` does
    #[arg(long, value_name = "FAULT")]
    pub(crate) fault: Option<String>,
    /// Install missing programs with this system's package manager
    #[arg(long)]
    pub(crate) setup: bool,
    /// How long a subject may take for one answer, in seconds; looking at every node takes its time
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) deadline: u32,
    /// Print JSON, for programs
    #[arg(long)]
    pub(crate) json: bool,
}

/// `calibrate`
#[derive(Clone, Debug, Args)]
pub(crate) struct CalibrateFlags {
    /// Backends whose answers are compared with the goldens, comma-separated
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "cpu-baseline,cpu")]
    pub(crate) backend: Vec<String>,
    /// Install missing programs with this system's package manager
    #[arg(long)]
    pub(crate) setup: bool,
    /// Measure on these models instead of the fixtures: names of models.json
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Vec<String>,
    /// Measure only on the cases whose id fits one of these globs
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    pub(crate) filter: Vec<String>,
    /// Ask each backend under so many other conditions besides: threads, batches, load order, used workers
    #[arg(long, value_name = "N", default_value = "50")]
    pub(crate) seeds: u32,
    /// How many workers at once; default: one for each processor
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    /// Write the measurements for programs
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}
