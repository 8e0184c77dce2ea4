//! Where a Chromium is.

use std::env;
use std::path::{Path, PathBuf};

/// Names on PATH, the best first, and a Mac's application.
const NAMES: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/// The Chromium that `CHROMIUM` names, else the first on PATH.
pub fn find() -> Option<PathBuf> {
    if let Some(named) = env::var_os("CHROMIUM") {
        return Some(named.into());
    }
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    let places = |name: &&str| folders.iter().map(|folder| folder.join(name)).collect::<Vec<_>>();
    NAMES.iter().flat_map(places).find(|path| Path::is_file(path))
}
