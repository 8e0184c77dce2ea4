//! What `xcresulttool` says of a run.

use serde::Deserialize;

/// `get test-results summary`. What is missing counts 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Summary {
    /// `Passed`, `Failed` …
    pub result: String,
    /// What it ran on, in words.
    pub environment_description: String,
    /// How many there were of each.
    #[serde(flatten)]
    pub counts: Counts,
    /// Which failed.
    pub test_failures: Vec<FailedTest>,
}

/// Numbers of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Counts {
    /// All.
    pub total_test_count: u32,
    /// Asked, and written down.
    pub passed_tests: u32,
    /// Of which something is said in `test_failures`.
    pub failed_tests: u32,
    /// The sheet does not ask them.
    pub skipped_tests: u32,
}

/// A test that failed: the harness could not ask, or the app died.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct FailedTest {
    /// The method.
    pub test_name: String,
    /// `Cases/test_x()`
    pub test_identifier_string: String,
    /// What was said.
    pub failure_text: String,
}

impl Summary {
    /// Reads one; `None` where it is none.
    pub fn of(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfTest {
    #[serde(default)]
    attachments: Vec<Attachment>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attachment {
    exported_file_name: String,
}

/// The files that the manifest of `export attachments` names; `None` where it is no manifest.
pub fn manifest_files(json: &str) -> Option<Vec<String>> {
    let tests: Vec<OfTest> = serde_json::from_str(json).ok()?;
    Some(tests.into_iter().flat_map(|test| test.attachments).map(|one| one.exported_file_name).collect())
}
