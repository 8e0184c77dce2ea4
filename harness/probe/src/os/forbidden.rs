//! A read that the system does not allow.

use std::ptr;

/// Reads a page of the process's own that it may not read: the system ends the process with SIGSEGV. Without
/// memory for such a page it aborts.
pub(crate) fn read_forbidden_page() -> ! {
    const PAGE: usize = 64 * 1024;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
    // SAFETY: a new anonymous mapping at an address of the system's choice touches no existing memory.
    let page = unsafe { libc::mmap(ptr::null_mut(), PAGE, libc::PROT_NONE, flags, -1, 0) };
    if page != libc::MAP_FAILED {
        // SAFETY: the page is mapped and nobody else's. That it may not be read is the purpose: the access is
        // volatile, so it happens, and the process ends in it.
        unsafe { ptr::read_volatile(page.cast::<u8>()) };
    }
    std::process::abort()
}
