//! What is in a result bundle.

use super::Argv;

/// Prints the summary of a run as JSON.
pub fn summary(results: &str) -> Argv {
    Argv::xcrun(["xcresulttool", "get", "test-results", "summary", "--path", results], 10)
}

/// Writes the attachments and a manifest.json into `folder`.
pub fn export_attachments(results: &str, folder: &str) -> Argv {
    Argv::xcrun(["xcresulttool", "export", "attachments", "--path", results, "--output-path", folder], 30)
}
