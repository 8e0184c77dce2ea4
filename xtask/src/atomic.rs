//! Writing whole files, with messages for people.

use std::fs::{self, File};
use std::path::Path;

use anyhow::{Context as _, Result};
use judge::whole;
use tempfile::NamedTempFile;

/// Puts `contents` at `path`; the folder is made where it is missing.
pub(crate) fn write(path: &Path, contents: &[u8]) -> Result<()> {
    make_folder(path)?;
    whole::write(path, contents).with_context(|| format!("cannot write {}", path.display()))
}

/// A temporary file in the folder of `path`; the folder is made where it is missing.
pub(crate) fn beside(path: &Path) -> Result<NamedTempFile> {
    make_folder(path)?;
    whole::begin(path).with_context(|| format!("cannot write in {}", whole::folder(path).display()))
}

/// Makes a complete temporary file the file at `path`.
pub(crate) fn persist(file: NamedTempFile, path: &Path) -> Result<()> {
    whole::finish(file, path).with_context(|| format!("cannot write {}", path.display()))
}

/// Makes the complete file at `from` the file at `to`, on the same file system; the folder is made where it is missing.
pub(crate) fn move_file(from: &Path, to: &Path) -> Result<()> {
    make_folder(to)?;
    let failed = || format!("cannot write {}", to.display());
    File::open(from).and_then(|file| file.sync_all()).with_context(failed)?;
    fs::rename(from, to).with_context(failed)?;
    // The rename itself is on disk only once the folder is; where folders cannot be synced, that is all right.
    let _ = File::open(whole::folder(to)).and_then(|folder| folder.sync_all());
    Ok(())
}

fn make_folder(path: &Path) -> Result<()> {
    let folder = whole::folder(path);
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_the_file_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/file");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn an_unwritable_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        let error = write(&folder.path().join("file/inside"), b"").unwrap_err();
        assert!(format!("{error:#}").starts_with("cannot make "), "{error:#}");
    }
}
