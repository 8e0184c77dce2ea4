//! Address space that is taken away without a limit of the system's: works on every Unix.

use std::ptr;

use super::OsError;

/// Left besides the bytes asked for, so that the heap, the log and thread stacks can go on growing.
pub(crate) const RESERVE: u64 = 64 * 1024 * 1024;

/// The smallest piece that is reserved; gaps below this stay.
const PIECE: usize = 64 * 1024;

/// The largest piece that is tried: half of a 47-bit address space.
const LARGEST: usize = 1 << 46;

/// Reserved address space, without access and so without memory behind it; given back on drop.
#[derive(Debug)]
pub(crate) struct Balloon {
    _pieces: Vec<Piece>,
}

impl Balloon {
    /// Reserves everything but one gap of `bytes` and one of [`RESERVE`].
    ///
    /// # Errors
    /// Where not even the gaps fit into what is free now.
    pub(crate) fn leave(bytes: u64) -> Result<Self, OsError> {
        let gap = whole(bytes);
        let mut gap_and_heap = Piece::reserve(gap + PIECE + whole(RESERVE))?;
        let mut pieces = Vec::with_capacity(512);
        let mut size = LARGEST;
        while size >= PIECE {
            match Piece::reserve(size) {
                Ok(piece) => pieces.push(piece),
                Err(_) => size /= 2,
            }
        }
        // One piece stays between the two, or they would be one gap.
        let heap = gap_and_heap.split_off(gap + PIECE);
        pieces.push(gap_and_heap.split_off(gap));
        drop((gap_and_heap, heap));
        Ok(Self { _pieces: pieces })
    }
}

/// `bytes` rounded up to whole pieces.
fn whole(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(LARGEST).next_multiple_of(PIECE)
}

/// One reservation.
#[derive(Debug)]
struct Piece {
    start: *mut libc::c_void,
    size: usize,
}

impl Piece {
    fn reserve(size: usize) -> Result<Self, OsError> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_NORESERVE;
        // SAFETY: a new anonymous mapping at an address of the system's choice touches no existing memory.
        let start = unsafe { libc::mmap(ptr::null_mut(), size, libc::PROT_NONE, flags, -1, 0) };
        if start == libc::MAP_FAILED { Err(OsError::last("mmap")) } else { Ok(Self { start, size }) }
    }

    /// Cuts the piece in two at `size` and returns the rest.
    fn split_off(&mut self, size: usize) -> Self {
        let rest = Self { start: self.start.wrapping_byte_add(size), size: self.size - size };
        self.size = size;
        rest
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        // SAFETY: the mapping is our own, nothing points into it, and it is unmapped once.
        unsafe { libc::munmap(self.start, self.size) };
    }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_into_the_gap_cannot_be_mapped() {
        let tera = 1 << 40;
        let balloon = Balloon::leave(4 * tera as u64).unwrap();
        // Not even by the width of the reserve, which lies beside it.
        assert!(Piece::reserve(4 * tera + PIECE).is_err());
        assert!(Piece::reserve(5 * tera).is_err());
        drop(Piece::reserve(tera).unwrap());
        drop(balloon);
        drop(Piece::reserve(5 * tera).unwrap());
    }
}
