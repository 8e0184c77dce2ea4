//! `RLIMIT_AS`, beyond what is mapped already.

use super::OsError;

/// A limit on the address space that holds until this is dropped.
#[derive(Debug)]
pub(crate) struct AddressSpace {
    #[cfg(target_os = "linux")]
    before: libc::rlimit,
}

#[cfg(target_os = "linux")]
impl AddressSpace {
    /// Lets the process map `more` bytes beyond what it has mapped now.
    ///
    /// # Errors
    /// Where the system refuses, or is not Linux.
    pub(crate) fn limit(more: u64) -> Result<Self, OsError> {
        let mut before = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the pointer is to a live rlimit of our own.
        if unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut before) } != 0 {
            return Err(OsError::last("getrlimit"));
        }
        let soft = mapped()?.saturating_add(more).min(before.rlim_max);
        set(libc::rlimit { rlim_cur: soft, rlim_max: before.rlim_max })?;
        Ok(Self { before })
    }
}

#[cfg(not(target_os = "linux"))]
impl AddressSpace {
    /// Lets the process map `more` bytes beyond what it has mapped now.
    ///
    /// # Errors
    /// Always: nothing but Linux enforces `RLIMIT_AS`.
    pub(crate) fn limit(_more: u64) -> Result<Self, OsError> {
        Err(OsError::NoAddressSpaceLimit)
    }
}

#[cfg(target_os = "linux")]
impl Drop for AddressSpace {
    fn drop(&mut self) {
        // Raising a soft limit to what it was cannot fail; if it did, the next load says so.
        let _ = set(self.before);
    }
}

#[cfg(target_os = "linux")]
fn set(limit: libc::rlimit) -> Result<(), OsError> {
    // SAFETY: the pointer is to a live rlimit of our own.
    if unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) } == 0 {
        Ok(())
    } else {
        Err(OsError::last("setrlimit"))
    }
}

/// Bytes that the process has mapped: the first number of `/proc/self/statm`, in pages (proc_pid_statm(5)).
#[cfg(target_os = "linux")]
fn mapped() -> Result<u64, OsError> {
    let call = "reading /proc/self/statm";
    let text =
        std::fs::read_to_string("/proc/self/statm").map_err(|source| OsError::Call { call, source })?;
    let pages = text.split(' ').next().and_then(|pages| pages.parse::<u64>().ok());
    Ok(pages.ok_or_else(|| OsError::last(call))? * page_size())
}

#[cfg(target_os = "linux")]
fn page_size() -> u64 {
    // SAFETY: sysconf has no preconditions.
    u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_is_mapped_is_at_least_a_page() {
        assert!(mapped().unwrap() >= page_size());
    }
}
