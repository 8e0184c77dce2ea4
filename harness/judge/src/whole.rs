//! Files that are whole or not there: written beside their place, synced, renamed. It knows nothing of contents.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use tempfile::{NamedTempFile, PersistError};

/// How the name of an unfinished file begins. Only a process that was killed leaves one behind.
pub const UNFINISHED: &str = ".partial-";

/// Puts `contents` at `path`. Its folder must be there.
///
/// # Errors
/// When that fails; what was at `path` before is there still.
pub fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = begin(path)?;
    file.write_all(contents)?;
    finish(file, path)
}

/// As [`write()`], where there is nothing at `path` yet.
///
/// # Errors
/// As [`write()`]; [`io::ErrorKind::AlreadyExists`] where there is something.
pub fn write_new(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = begin(path)?;
    file.write_all(contents)?;
    put(file, path, NamedTempFile::persist_noclobber)
}

/// An unfinished file in the folder of `path`. Dropping it removes it.
///
/// # Errors
/// When no file can be made there.
pub fn begin(path: &Path) -> io::Result<NamedTempFile> {
    // The umask decides who may read it, not the default of temporary files.
    let readable = fs::Permissions::from_mode(0o666);
    tempfile::Builder::new().prefix(UNFINISHED).permissions(readable).tempfile_in(folder(path))
}

/// Makes `file` the file at `path`.
///
/// # Errors
/// When that fails; `file` is removed.
pub fn finish(file: NamedTempFile, path: &Path) -> io::Result<()> {
    put(file, path, NamedTempFile::persist)
}

/// The folder of `path`.
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn put<'a>(
    file: NamedTempFile,
    path: &'a Path,
    rename: impl FnOnce(NamedTempFile, &'a Path) -> Result<File, PersistError>,
) -> io::Result<()> {
    file.as_file().sync_all()?;
    rename(file, path)?;
    // The rename itself is on disk only once the folder is; where folders cannot be synced, that is all right.
    let _ = File::open(folder(path)).and_then(|folder| folder.sync_all());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"two".to_vec(), 1));
        let others = fs::metadata(&path).unwrap().permissions().mode() & 0o044;
        let usual =
            File::create(folder.path().join("usual")).unwrap().metadata().unwrap().permissions().mode();
        assert_eq!(others, usual & 0o044, "read by whom the umask lets");
    }

    #[test]
    fn a_new_file_takes_nobodys_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        write_new(&path, b"one").unwrap();
        assert_eq!(write_new(&path, b"two").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"one".to_vec(), 1));
    }

    #[test]
    fn what_is_dropped_unfinished_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        drop(begin(&path).unwrap());
        assert_eq!(names(folder.path()), 0);
        assert!(write(&path.join("below"), b"").is_err());
    }
}
