//! What can be wrong with a case file.

use std::path::PathBuf;

/// Why a case, or a folder of them, could not be read. Every message names file and line and the cure.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The file or folder cannot be read.
    #[error("{}: cannot read it: {source}; check the path and its permissions", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// It is no case.
    #[error("{}:{line}:{column}: {problem}; docs/cases.md lists every field and value", path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What the parser says, the field included.
        problem: String,
    },
    /// It parses and makes no sense.
    #[error("{}:{line}: field \"{field}\": {problem}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// The field.
        field: &'static str,
        /// What is wrong and how to mend it.
        problem: String,
    },
    /// A folder holds no case at all.
    #[error("{}: no case files here; a case is <family>/<name>.json", path.display())]
    Empty {
        /// The folder.
        path: PathBuf,
    },
}
