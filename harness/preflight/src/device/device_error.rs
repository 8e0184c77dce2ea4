//! Why a device is not known.

use std::path::PathBuf;

/// Why limits cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// No such name.
    #[error(
        "no such device \"{name}\"{}; `cargo xtask preflight --list-devices` shows all; for one that is not listed say \
         how much memory it has: --ram 8",
        suggestion.as_ref().map_or_else(String::new, |known| format!(" (did you mean \"{known}\"?)"))
    )]
    Unknown {
        /// What was asked for.
        name: String,
        /// The closest one.
        suggestion: Option<String>,
    },
    /// A listed device, and another amount of memory than it has.
    #[error("the {name} has {has} GB of memory, not {asked}; leave --ram out, or name another device")]
    OtherMemory {
        /// The device.
        name: String,
        /// What it has, in GB.
        has: u64,
        /// What was said.
        asked: u64,
    },
    /// A file of measurements that cannot be read.
    #[error("{}: cannot read the measurements: {source}; check the path", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A file that holds no measurements.
    #[error("{}:{line}: {problem}; docs/preflight.md describes the file", path.display())]
    NotMeasured {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What the parser says.
        problem: String,
    },
    /// Measurements of another device.
    #[error(
        "{}: this was measured on \"{measured}\", and --device says \"{asked}\"; leave one of them out",
        path.display()
    )]
    OtherDevice {
        /// The file.
        path: PathBuf,
        /// Where it was measured.
        measured: String,
        /// What was asked for.
        asked: String,
    },
}
