//! What a model's file was when it was last read whole: a small file beside it, `<file>.verified`.
//!
//! Reading 5 GB before every run takes longer than the run. A file that has not changed since is not read again.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use crate::atomic;

/// Size, time of the last change, and checksum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    /// In bytes.
    pub(super) size: u64,
    /// When the file was last changed: nanoseconds since 1970.
    changed: u64,
    /// SHA-256 in hexadecimal.
    pub(super) sha256: String,
}

impl Stamp {
    /// What the file at `path` is now, its checksum being `sha256`.
    pub(super) fn of(path: &Path, sha256: &str) -> Option<Self> {
        let meta = path.metadata().ok()?;
        let changed = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
        Some(Self { size: meta.len(), changed: changed.try_into().ok()?, sha256: sha256.to_owned() })
    }

    /// What the file at `path` was when it was read last. A stamp that cannot be read is none.
    pub(super) fn read(path: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(beside(path)).ok()?).ok()
    }

    /// Writes it beside the file at `path`. Where that cannot be, the file is read again next time.
    pub(super) fn write(&self, path: &Path) {
        let text = serde_json::to_vec(self).unwrap_or_default();
        let _ = atomic::write(&beside(path), &text);
    }
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".verified");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_is_read_as_it_was_written_and_fits_no_changed_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.gguf");
        assert_eq!((Stamp::of(&path, "00"), Stamp::read(&path)), (None, None));
        fs::write(&path, "abc").unwrap();
        let stamp = Stamp::of(&path, "00").unwrap();
        stamp.write(&path);
        assert_eq!(Stamp::read(&path), Some(stamp.clone()));
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(UNIX_EPOCH).unwrap();
        assert_ne!(Stamp::of(&path, "00").unwrap(), stamp);
    }
}
