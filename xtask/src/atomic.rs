//! Writing a file so that nobody ever sees half of it.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use tempfile::NamedTempFile;

/// Puts `contents` at `path`: a temporary file beside it, fsync, rename.
pub(crate) fn write(path: &Path, contents: &[u8]) -> Result<()> {
    let mut file = beside(path)?;
    file.write_all(contents).with_context(|| format!("cannot write {}", path.display()))?;
    persist(file, path)
}

/// A temporary file in the folder of `path`; the folder is made where it is missing.
pub(crate) fn beside(path: &Path) -> Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    tempfile::Builder::new()
        .prefix(".partial-")
        .tempfile_in(folder)
        .with_context(|| format!("cannot write in {}", folder.display()))
}

/// Makes a complete temporary file the file at `path`.
pub(crate) fn persist(file: NamedTempFile, path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let failed = || format!("cannot write {}", path.display());
    file.as_file().set_permissions(fs::Permissions::from_mode(0o644)).with_context(failed)?;
    file.as_file().sync_all().with_context(failed)?;
    file.persist(path).with_context(failed)?;
    if let Some(folder) = path.parent() {
        // The rename itself is on disk only once the folder is; where folders cannot be synced, that is all right.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(())
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
