//! The file that somebody names on the command line: a model of models.json, a fetched one, or any GGUF file.

use std::path::{Path, PathBuf};

use anyhow::Result;
use judge::models::ModelError;

use super::cache::Cache;
use super::catalogue;
use super::model_file::ModelFile;
use crate::context::Context;
use crate::exit::{Exit, OrExit as _};

/// A file, and what it must be where somebody has said so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chosen {
    /// Where it lies.
    pub(crate) path: PathBuf,
    /// Its SHA-256 in hexadecimal, and who says so.
    pub(crate) sha256: Option<(String, String)>,
}

/// The file that `name` means: a model of models.json, `hf:OWNER/REPO/FILE.gguf`, or a path. Outside of a checkout only
/// paths mean anything.
///
/// # Errors
/// When it means none, or the file is not there.
pub(crate) fn chosen(name: &str, context: Option<&Context>) -> Result<Chosen> {
    let Some(context) = context else { return path_alone(Path::new(name)) };
    let registry = catalogue::read(&context.workspace)?;
    let cache = Cache::new(&context.machine, &context.workspace)?;
    let model = registry.resolve(name, cache.places()).map_err(with_exit)?;
    let known = ModelFile::all(&registry, &cache)?;
    let known = known.iter().find(|known| same(&known.path, &model.path));
    if !model.path.is_file() {
        let cure = known.map(|known| format!("; {}", known.cure())).unwrap_or_default();
        return Err(Exit::Input.error(format!("{} is not here yet{cure}", model.name)));
    }
    let sha256 = known.and_then(|known| {
        let source = match registry.get(&known.name) {
            Some(_) => format!("models.json of {}", known.name),
            None => format!("the fetch of {}", known.name),
        };
        known.sha256.clone().map(|sum| (sum, source))
    });
    Ok(Chosen { path: model.path, sha256 })
}

/// A file of that path, whatever else the name could mean in a checkout.
fn path_alone(path: &Path) -> Result<Chosen> {
    if path.is_file() {
        return Ok(Chosen { path: path.to_owned(), sha256: None });
    }
    let problem = if path.exists() { "is no regular file" } else { "is not there" };
    Err(Exit::Input.error(format!(
        "{} {problem}; pass the path of a GGUF file: names of models mean something inside a llama-conformance checkout \
         alone",
        path.display()
    )))
}

/// A name that nobody knows is a slip of the command line; a file that is not fetched is missing.
fn with_exit(error: ModelError) -> anyhow::Error {
    let exit = match error {
        ModelError::Input(_) | ModelError::Unsorted { .. } | ModelError::NotFetched { .. } => Exit::Input,
        _ => Exit::Usage,
    };
    Err::<(), _>(error).or_exit(exit).unwrap_err()
}

fn same(one: &Path, other: &Path) -> bool {
    one == other || one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}
