//! Atomic replacement of a file: a temporary file beside it, synced, then renamed.

use std::fs::File;
use std::io;
use std::path::Path;

use tempfile::Builder;

/// Replaces `path` with what `fill` writes. A reader sees the old file or the new one, never a part.
///
/// # Errors
/// Whatever the file system or `fill` says; `path` is then as it was before.
pub(crate) fn replace(path: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut temporary = Builder::new().prefix(".partial-").suffix(".gguf").tempfile_in(folder)?;
    fill(temporary.as_file_mut())?;
    readable_by_all(temporary.as_file())?;
    temporary.as_file().sync_all()?;
    temporary.persist(path).map_err(|error| error.error)?;
    sync_folder(folder)
}

/// Temporary files are private; a model is not.
#[cfg(unix)]
fn readable_by_all(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable_by_all(_: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
