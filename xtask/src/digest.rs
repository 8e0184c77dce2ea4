//! SHA-256 of folders and streams.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use sha2::{Digest as _, Sha256};

/// The SHA-256 over names and contents of files and folders below `root`, and over `more`. The order of `paths`
/// does not matter.
pub(crate) fn of_tree(root: &Path, paths: &[&str], more: &[String]) -> Result<String> {
    let mut files = Vec::new();
    for path in paths {
        collect(&root.join(path), &mut files)?;
    }
    files.sort();
    let mut hasher = Sha256::new();
    for path in files {
        let contents = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let name = path.strip_prefix(root).unwrap_or(&path);
        field(&mut hasher, name.as_os_str().as_encoded_bytes());
        field(&mut hasher, &contents);
    }
    for text in more {
        field(&mut hasher, text.as_bytes());
    }
    Ok(hex(&hasher.finalize()))
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))? {
        collect(&entry?.path(), files)?;
    }
    Ok(())
}

fn field(hasher: &mut Sha256, bytes: &[u8]) {
    hasher.update((bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A writer that hashes what passes through.
pub(crate) struct Hashing<W> {
    inner: W,
    hasher: Sha256,
    count: u64,
}

impl<W: Write> Hashing<W> {
    /// Hashes what is written to `inner`.
    pub(crate) fn new(inner: W) -> Self {
        Self { inner, hasher: Sha256::new(), count: 0 }
    }

    /// How many bytes have passed, and their SHA-256 in lower-case hexadecimal.
    pub(crate) fn finish(self) -> (u64, String) {
        (self.count, hex(&self.hasher.finalize()))
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(buffer)?;
        self.hasher.update(&buffer[..count]);
        self.count += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_through_is_counted_and_summed() {
        let mut writer = Hashing::new(io::sink());
        writer.write_all(b"abc").unwrap();
        // FIPS 180-2, appendix B.1.
        let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(writer.finish(), (3, sum.to_owned()));
    }

    #[test]
    fn a_tree_changes_with_a_name_a_byte_and_a_setting_but_not_with_order() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir(root.join("src")).unwrap();
        fs::write(root.join("src/a.rs"), "one").unwrap();
        fs::write(root.join("lock"), "two").unwrap();
        let first = of_tree(root, &["src", "lock"], &[]).unwrap();
        assert_eq!(of_tree(root, &["lock", "src"], &[]).unwrap(), first);
        assert_ne!(of_tree(root, &["src", "lock"], &["flag".to_owned()]).unwrap(), first);
        fs::write(root.join("src/a.rs"), "onf").unwrap();
        let changed = of_tree(root, &["src", "lock"], &[]).unwrap();
        assert_ne!(changed, first);
        fs::rename(root.join("src/a.rs"), root.join("src/b.rs")).unwrap();
        assert_ne!(of_tree(root, &["src", "lock"], &[]).unwrap(), changed);
    }
}
