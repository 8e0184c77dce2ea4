//! Where this program lies, for what asks itself again in a process of its own.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// What Linux appends to the path of a running program whose file was replaced, as cargo does when it links anew.
const REPLACED: &str = " (deleted)";

/// The path of this program; of the one in its place, where it was replaced meanwhile.
///
/// # Errors
/// Where the system cannot tell.
pub(crate) fn program() -> Result<PathBuf> {
    Ok(in_place_of(&std::env::current_exe().context("cannot tell where xtask lies")?))
}

fn in_place_of(path: &Path) -> PathBuf {
    match path.to_str().and_then(|text| text.strip_suffix(REPLACED)) {
        Some(replaced) if !path.exists() => replaced.into(),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_was_replaced_is_found() {
        assert_eq!(in_place_of(Path::new("/no/xtask (deleted)")), Path::new("/no/xtask"));
        assert_eq!(in_place_of(Path::new("/no/xtask")), Path::new("/no/xtask"));
    }
}
