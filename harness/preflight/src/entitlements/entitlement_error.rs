//! Why entitlements cannot be read.

use std::path::PathBuf;

/// Why entitlements cannot be read: the file, and what is wrong with it.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct EntitlementError {
    /// The file, as it was named.
    pub path: PathBuf,
    /// What is wrong, and what to do.
    pub problem: String,
}

impl EntitlementError {
    pub(super) fn new(path: impl Into<PathBuf>, problem: impl Into<String>) -> Self {
        Self { path: path.into(), problem: problem.into() }
    }
}
