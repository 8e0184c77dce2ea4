//! Goldens that no case names any more.

use anyhow::Result;
use judge::golden::GoldenStore;
use judge::report::plural;
use judge::setup::{Folders, Suite};

use crate::exit::{Exit, OrExit as _};

/// Lists them, with the command that takes them away. Fine where there is none.
pub(super) fn unreferenced(folders: &Folders, store: &GoldenStore) -> Result<Exit> {
    let suite = Suite::read(folders).or_exit(Exit::Input)?;
    let places = folders.places();
    let is_named = |model: &str, case: &str| {
        let case = suite.cases.iter().find(|known| known.id == case).filter(|known| known.has_golden());
        let model = suite.registry.get(model).map(|entry| entry.model(&places));
        case.zip(model)
            .is_some_and(|(case, model)| case.models.iter().any(|selector| model.matches(selector)))
    };
    let files = store.unreferenced(is_named).or_exit(Exit::Input)?;
    if files.is_empty() {
        println!("every golden is one that a case asks for");
        return Ok(Exit::Fine);
    }
    println!("no case asks for {}:", plural(files.len(), "golden"));
    for path in files {
        println!("  git rm {}", path.strip_prefix(folders.root()).unwrap_or(&path).display());
    }
    Ok(Exit::Verdicts)
}
