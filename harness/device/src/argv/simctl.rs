//! The simulator, for the app; the probe under `simctl spawn` is a backend's row.

use super::Argv;

/// Installs an app.
pub fn install_in_simulator(udid: &str, app: &str) -> Argv {
    Argv::xcrun(["simctl", "install", udid, app], 5)
}

/// Prints the folder of an app's data: in the simulator it is one of the Mac's.
pub fn app_container(udid: &str, bundle: &str) -> Argv {
    Argv::xcrun(["simctl", "get_app_container", udid, bundle, "data"], 2)
}
