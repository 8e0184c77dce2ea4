//! What the operating system refused.

use std::io;

/// What the operating system refused, or does not have.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OsError {
    /// `RLIMIT_AS` is only enforced, and the mapped size only known, on Linux.
    #[cfg(not(target_os = "linux"))]
    #[error("an address-space limit works on Linux alone; use `balloon` here")]
    NoAddressSpaceLimit,
    /// A system call failed.
    #[error("{call} failed: {source}; run the probe without this limit")]
    Call {
        /// The call.
        call: &'static str,
        /// What the system says.
        source: io::Error,
    },
}

impl OsError {
    /// The last system call of this thread, `call`, failed.
    pub(super) fn last(call: &'static str) -> Self {
        Self::Call { call, source: io::Error::last_os_error() }
    }
}
