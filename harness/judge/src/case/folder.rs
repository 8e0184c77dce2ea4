//! A folder of cases.

use std::path::{Path, PathBuf};

use super::{Case, CaseError};

/// Folders below the cases folder that hold other data.
const OTHER_DATA: [&str; 1] = ["known"];

/// Reads every `<family>/<name>.json` below `root`, sorted by id; variants are cases of their own.
///
/// # Errors
/// At the first file that cannot be read or makes no sense, or when there is none.
pub fn load_cases(root: &Path) -> Result<Vec<Case>, CaseError> {
    let mut cases = Vec::new();
    for family in entries(root)? {
        let other = family.file_name().is_some_and(|name| OTHER_DATA.iter().any(|data| name == *data));
        if !family.is_dir() || other {
            continue;
        }
        for path in entries(&family)? {
            if path.extension().is_some_and(|extension| extension == "json") {
                cases.extend(Case::read(root, &path)?);
            }
        }
    }
    if cases.is_empty() {
        return Err(CaseError::Empty { path: root.to_owned() });
    }
    cases.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(cases)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, CaseError> {
    let error = |source| CaseError::Read { path: folder.to_owned(), source };
    let mut paths = std::fs::read_dir(folder)
        .map_err(error)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(error)?;
    paths.sort();
    Ok(paths)
}
