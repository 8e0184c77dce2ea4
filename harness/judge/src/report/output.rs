//! A file that is whole or not there.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::whole;

/// Where a report goes.
#[derive(Debug)]
pub enum Output {
    /// A file: written beside the path, then put in place.
    File(PathBuf),
    /// A pipe, a terminal, a device: written to, never replaced. It is kept open: a pipe's reader takes it for the
    /// end when it is closed.
    Stream(PathBuf, File),
}

impl Output {
    /// Makes sure that `path` can be written, and leaves nothing behind.
    ///
    /// # Errors
    /// When no file can be made there.
    pub fn to(path: &Path) -> io::Result<Self> {
        // A link stays a link.
        let path = match fs::canonicalize(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
            path => path?,
        };
        match fs::metadata(&path) {
            Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(there) if !there.is_file() => {
                let stream = File::options().write(true).open(&path)?;
                Ok(Self::Stream(path, stream))
            }
            _ => {
                tempfile::tempfile_in(whole::folder(&path))?;
                Ok(Self::File(path))
            }
        }
    }

    /// Where it goes.
    pub fn path(&self) -> &Path {
        match self {
            Self::File(path) | Self::Stream(path, _) => path,
        }
    }

    /// Whether both would be written to one file.
    pub(super) fn is_same_file(&self, other: &Self) -> bool {
        let place =
            |path: &Path| Some((fs::canonicalize(whole::folder(path)).ok()?, path.file_name()?.to_owned()));
        match (self, other) {
            (Self::File(ours), Self::File(theirs)) => place(ours) == place(theirs),
            _ => false,
        }
    }

    /// Writes all of `text`, or leaves the file as it was.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn write(&self, text: &[u8]) -> io::Result<()> {
        match self {
            Self::Stream(_, stream) => (&*stream).write_all(text),
            Self::File(path) => whole::write(path, text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("report"), folder.path().join("link"));
        Output::to(&file).unwrap().write(b"one").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let output = Output::to(&link).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"one", "only looked at");
        output.write(b"two").unwrap();
        assert_eq!((fs::read(&file).unwrap(), link.is_symlink()), (b"two".to_vec(), true));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn what_cannot_be_written_is_known_before() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        for path in ["", "none/report", "file/report"] {
            assert!(Output::to(&folder.path().join(path)).is_err(), "{path:?}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_written_to_and_stays_a_device() {
        let output = Output::to(Path::new("/dev/full")).unwrap();
        assert_eq!(output.write(b"x").unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert!(matches!(Output::to(Path::new("/dev/full")), Ok(Output::Stream(..))));
    }
}
