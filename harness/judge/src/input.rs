//! Files that people name or write: read whole, or one clear reason why not.
//!
//! A path may lead to anything: a pipe that never ends, a device, gigabytes. Only regular files that are no larger
//! than they have reason to be are read. This room must never know what is in them.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

/// Most bytes of a file that people write: a hundred times what the largest has.
pub const MOST: u64 = 16 << 20;

/// Most bytes of one recorded answer, with its distributions and all that was logged.
pub const MOST_RECORDED: u64 = 256 << 20;

/// Why a file cannot be used. Every message names file and line.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// It cannot be read.
    #[error("{}: cannot read it: {source}; check the path and its permissions", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It is not what it should be.
    #[error("{}:{line}: {problem}", path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What the parser says.
        problem: String,
    },
}

/// The contents of the regular file at `path`, which has `most` bytes at most.
///
/// # Errors
/// When it cannot be read, is no regular file, or is larger.
pub fn bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let refuse = |problem: String| Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    // Looked at first: opening a pipe waits for somebody who writes to it.
    let there = path.metadata()?;
    if there.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !there.is_file() {
        return refuse("it is a pipe or a device, and only a regular file will do".to_owned());
    }
    let too_large = |size: u64| refuse(format!("it has {size} bytes, and {most} are the most"));
    if there.len() > most {
        return too_large(there.len());
    }
    let mut contents = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut contents)?;
    // It may grow meanwhile.
    if contents.len() as u64 > most { too_large(contents.len() as u64) } else { Ok(contents) }
}

/// The text of the regular file at `path`.
///
/// # Errors
/// As [`bytes`], with [`MOST`]; and when it is no UTF-8, or begins with a byte order mark.
pub fn text(path: &Path) -> io::Result<String> {
    let refuse = |problem| io::Error::new(io::ErrorKind::InvalidData, problem);
    let text = String::from_utf8(bytes(path, MOST)?).map_err(|error| {
        refuse(format!("it is no UTF-8 from byte {} on", error.utf8_error().valid_up_to()))
    })?;
    if text.starts_with('\u{feff}') {
        return Err(refuse("it begins with a byte order mark; save it as UTF-8 without one".to_owned()));
    }
    Ok(text)
}

/// What the JSON file at `path` holds.
///
/// # Errors
/// When it cannot be read, or is no such JSON.
pub fn json<T: DeserializeOwned>(path: &Path) -> Result<T, InputError> {
    let text = text(path).map_err(|source| InputError::Read { path: path.to_owned(), source })?;
    serde_json::from_str(&text).map_err(|error| InputError::Parse {
        path: path.to_owned(),
        line: error.line(),
        problem: without_position(&error),
    })
}

/// What serde_json says but for the position, which belongs in front.
pub(crate) fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(path: &Path) -> String {
        json::<Vec<u32>>(path).map_or_else(|error| error.to_string(), |list| format!("{list:?}"))
    }

    #[test]
    fn only_a_regular_file_of_a_sensible_size_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let check = |contents: &[u8], expected: &str| {
            std::fs::write(&path, contents).unwrap();
            assert!(said(&path).ends_with(expected), "{} does not end with {expected}", said(&path));
        };
        check(b"[1, 2]", "[1, 2]");
        check(b"[1,\n-2]", "/file:2: invalid value: integer `-2`, expected u32");
        check(b"\xef\xbb\xbf[1]", "save it as UTF-8 without one; check the path and its permissions");
        check(b"[1] \xff", "it is no UTF-8 from byte 4 on; check the path and its permissions");
        File::options().write(true).open(&path).unwrap().set_len(MOST + 1).unwrap();
        assert!(said(&path).contains("it has 16777217 bytes, and 16777216 are the most"), "{}", said(&path));
        assert!(said(folder.path()).contains("is a directory"), "{}", said(folder.path()));
        assert!(
            said(Path::new("/dev/zero")).contains("a pipe or a device"),
            "{}",
            said(Path::new("/dev/zero"))
        );
    }
}
