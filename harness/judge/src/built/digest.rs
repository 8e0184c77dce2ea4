//! SHA-256 of a file.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use sha2::{Digest as _, Sha256};

/// SHA-256 of the file at `path`, in hexadecimal; read piece by piece.
///
/// # Errors
/// When it cannot be read.
pub fn sha256_of_file(path: &Path) -> io::Result<String> {
    const PIECE: usize = 1 << 20;
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()),
            count => hasher.update(&piece[..count]),
        }
    }
}
