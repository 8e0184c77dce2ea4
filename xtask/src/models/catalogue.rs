//! The catalogue, `cases/models.json`, with xtask's exit codes.

use anyhow::Result;
use judge::models::{ModelEntry, Registry};

use crate::exit::{Exit, OrExit as _};
use crate::workspace::Workspace;

/// Reads the catalogue.
///
/// # Errors
/// When it is missing, malformed or unsorted.
pub(crate) fn read(workspace: &Workspace) -> Result<Registry> {
    Registry::read(&workspace.models_json()).or_exit(Exit::Input)
}

/// The entry of `registry` named `name`.
///
/// # Errors
/// When there is none; the message lists those that there are.
pub(crate) fn entry<'a>(registry: &'a Registry, name: &str) -> Result<&'a ModelEntry> {
    registry.get(name).ok_or_else(|| registry.unknown(name)).or_exit(Exit::Usage)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn committed() -> Registry {
        read(&Workspace::around(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap()).unwrap()
    }

    #[test]
    fn an_unknown_model_says_where_the_known_ones_are() {
        let error = entry(&committed(), "nobody").unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Usage);
        assert!(error.to_string().contains("`cargo xtask models list` shows all"), "{error}");
        let error = entry(&committed(), "compiled-gema").unwrap_err().to_string();
        assert!(error.contains("did you mean \"compiled-gemma\"?"), "{error}");
    }

    #[test]
    fn a_broken_catalogue_is_an_input_error() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("cases")).unwrap();
        std::fs::write(folder.path().join("Cargo.lock"), "").unwrap();
        std::fs::write(folder.path().join("cases/models.json"), "[\n{]").unwrap();
        let error = read(&Workspace::around(folder.path()).unwrap()).unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Input);
        assert!(error.to_string().contains("models.json:2: "), "{error}");
    }
}
