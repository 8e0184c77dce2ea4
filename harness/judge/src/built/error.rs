//! Why a built probe cannot be used.

/// A missing or stale probe. Every message ends with the command that builds it anew.
#[derive(Debug, thiserror::Error)]
pub enum BuiltError {
    /// There is no subject.json.
    #[error("no probe is built for {backend}; run `cargo xtask build --backend {backend}`")]
    Missing {
        /// The backend.
        backend: String,
    },
    /// subject.json, or the probe beside it, no longer tells the truth.
    #[error("{problem}; run `cargo xtask build --backend {backend}`")]
    Stale {
        /// The backend.
        backend: String,
        /// What is wrong.
        problem: String,
    },
    /// subject.json cannot be written.
    #[error("{}: cannot write it: {source}; check the folder's permissions and space", path.display())]
    Write {
        /// The file.
        path: std::path::PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}
