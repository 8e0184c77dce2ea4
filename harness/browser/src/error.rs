//! What can go wrong with a browser.

use std::io;

/// Why a browser could not be asked, or did not do it.
#[derive(Debug, thiserror::Error)]
pub enum BrowserError {
    /// There is none.
    #[error("no Chromium on PATH; `cargo xtask ci --setup` installs it, or set CHROMIUM to one")]
    Missing,
    /// It could not be started, or its pipe broke.
    #[error("Chromium: {0}; start it by hand to see what it says")]
    Io(#[from] io::Error),
    /// What came was no message.
    #[error("Chromium sent what is no message: {0}")]
    Message(#[from] serde_json::Error),
    /// It refused.
    #[error("Chromium refused {method}: {reason}")]
    Refused {
        /// What was asked.
        method: String,
        /// Its words.
        reason: String,
    },
    /// A script threw.
    #[error("`{script}` failed: {reason}")]
    Script {
        /// The script.
        script: String,
        /// What it threw.
        reason: String,
    },
}
