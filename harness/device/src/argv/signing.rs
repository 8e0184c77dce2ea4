//! What an app is signed with.

use super::Argv;

/// Prints the entitlements in the binary of `app` as a property list.
pub fn entitlements(app: &str) -> Argv {
    Argv::new("codesign", ["-d", "--entitlements", "-", "--xml", app], 2)
}

/// Prints the profile of `app` as a property list.
pub fn profile(app: &str) -> Argv {
    let file = format!("{app}/embedded.mobileprovision");
    Argv::new("security", ["cms", "-D", "-i", &file], 2)
}
